import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findInstance } from '../queries/instance.ts';

/**
 * Returns what says whether there is a first operator. Once there is one it stays so, and is not read again. While the database
 * is unavailable it is taken for granted: the sign-in page is shown all the same.
 */
export const createIsSetUp = ({ db }: Pick<Deps, 'db'>): (() => Promise<boolean>) => {
  let isSetUp = false;
  return async () => {
    const instance = isSetUp ? null : await read(db, 'global', findInstance).catch(() => null);
    isSetUp ||= instance !== null && instance.firstOperatorId !== null;
    return isSetUp || instance === null;
  };
};
