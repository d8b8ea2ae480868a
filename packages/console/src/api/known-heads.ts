import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './query-keys.ts';

/** By company, the position of the change feed that the notes read by this tab are not older than. */
export const knownHeads = new Map<string, number>();

const waitMs = 2_000;

/**
 * Asks for the position of the feed before the first notes of a company are read, so that they need not
 * be read again when the feed tells its position. Never fails: without it they are read twice.
 */
export const learnHead = async (client: QueryClient, companyId: string): Promise<void> => {
  const queryKey = keys.notes(companyId);
  // What is under way may have been read before.
  if (knownHeads.has(companyId) || client.isFetching({ queryKey }) > 0) {
    return;
  }
  const beganMs = Date.now();
  try {
    const { data } = await apiOf(companyId).get('/api/notes/changes', {
      signal: AbortSignal.timeout(waitMs),
    });
    if (client.isFetching({ queryKey }) > 0 || knownHeads.has(companyId)) {
      return;
    }
    knownHeads.set(companyId, (data as { readonly head: number }).head);
    await client.invalidateQueries({
      queryKey,
      refetchType: 'none',
      predicate: ({ state }) => state.dataUpdatedAt <= beganMs,
    });
  } catch {
    // The first event of the feed tells it as well.
  }
};
