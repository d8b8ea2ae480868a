import { asAppError } from '@commonplace/http';

/** What is read beside the work of a call; if the caller is refused it, something else. */
export const unlessRefused = async <Value>(
  reading: Promise<Value>,
  otherwise: Value,
): Promise<Value> => {
  try {
    return await reading;
  } catch (thrown) {
    if (asAppError(thrown).status >= 500) {
      throw thrown;
    }
    return otherwise;
  }
};
