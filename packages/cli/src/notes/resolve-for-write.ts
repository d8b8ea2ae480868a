import { CommandFailure, UsageError } from '../errors.ts';
import { repeat } from './repeat.ts';

/**
 * Finds the note of a write by its name, and repeats that for as long as the write: the name is looked up first, and a write
 * by name would otherwise fail in an outage that one by id survives. What was found out is a result: there is no such note,
 * or several.
 */
export const resolveForWrite = async <Found>(resolve: () => Promise<Found>): Promise<Found> => {
  const outcome = await repeat(async () => {
    try {
      return { found: await resolve() };
    } catch (error) {
      if (error instanceof CommandFailure || error instanceof UsageError) {
        return { error };
      }
      throw error;
    }
  });
  if ('error' in outcome) {
    throw outcome.error;
  }
  return outcome.found;
};
