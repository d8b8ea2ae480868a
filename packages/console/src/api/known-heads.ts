import type { QueryClient } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { keys } from './query-keys.ts';

/** By company, a head of the change feed that the notes loaded by this tab are not older than. */
export const knownHeads = new Map<string, number>();

const timeoutMs = 2_000;

/**
 * Loads the head of the feed before the first notes of a company, so that the first event of the feed
 * does not load them a second time. Never fails: without a head they are loaded twice.
 */
export const prefetchHead = async (client: QueryClient, companyId: string): Promise<void> => {
  const begun = loading.get(companyId) ?? load(client, companyId);
  loading.set(companyId, begun);
  await begun.finally(() => loading.delete(companyId));
};

/** By company, the head that is loading: the first page begins before its route. */
const loading = new Map<string, Promise<void>>();

const load = async (client: QueryClient, companyId: string): Promise<void> => {
  const queryKey = keys.notes(companyId);
  // Notes that are loading may be older than the head.
  if (knownHeads.has(companyId) || client.isFetching({ queryKey }) > 0) {
    return;
  }
  const startedMs = Date.now();
  try {
    const { data } = await apiOf(companyId).get('/api/notes/changes', {
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (client.isFetching({ queryKey }) > 0 || knownHeads.has(companyId)) {
      return;
    }
    knownHeads.set(companyId, (data as { readonly head: number }).head);
    await client.invalidateQueries({
      queryKey,
      refetchType: 'none',
      predicate: ({ state }) => state.dataUpdatedAt <= startedMs,
    });
  } catch {
    // The first event of the feed carries the head too.
  }
};
