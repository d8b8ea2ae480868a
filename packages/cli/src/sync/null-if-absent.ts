import { codeOf } from '../describe-error.ts';

/** For `catch`: null when there is no such file or folder. Rethrows other errors. */
export const nullIfAbsent = (error: unknown): null => {
  if (codeOf(error) === 'ENOENT') {
    return null;
  }
  throw error;
};
