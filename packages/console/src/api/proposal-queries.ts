import type { Schema } from '@commonplace/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { byCursor, cursorOf, isShortList, readAll, reloadedWhileShort } from './pages.ts';
import { keys } from './query-keys.ts';

/** Lists of proposals are polled, because the change feed reports notes only. */
const refreshMs = { list: 5_000, others: 15_000 } as const;

export const proposalStates = ['open', 'accepted', 'rejected', 'superseded', 'expired'] as const;

/** The filter of the inbox. */
export type ProposalFilter = {
  /** Absent: of any state. */
  readonly state?: Schema<'ProposalState'> | undefined;
  readonly agentId?: string | undefined;
  readonly runId?: string | undefined;
};

/** Proposals without their texts, newest first, refreshed periodically. */
export const proposalsQuery = (companyId: string, filter: ProposalFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.proposals(companyId), 'list', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await apiOf(companyId).get('/api/notes/proposals', {
          params: { query: { ...parametersOf(filter), ...cursorOf(pageParam) } },
          signal,
        })
      ).data,
    ...byCursor,
    ...reloadedWhileShort,
    refetchInterval: (query) => isShortList(query) && refreshMs.list,
  });

const parametersOf = ({ state, agentId, runId }: ProposalFilter) => ({
  ...(state ? { state } : {}),
  ...(agentId ? { agentId } : {}),
  ...(runId ? { runId } : {}),
});

const shownOfNote = 5;

/** The newest open proposals for a note. */
export const proposalsOfNoteQuery = (companyId: string, noteId: string) =>
  queryOptions({
    queryKey: [...keys.proposals(companyId), 'of note', noteId],
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes/proposals', {
          params: { query: { state: 'open', noteId, limit: shownOfNote } },
          signal,
        })
      ).data.items,
    refetchInterval: refreshMs.others,
  });

/** One proposal with its text and the note as it is now: a change of the note loads it again. */
export const proposalQuery = (companyId: string, proposalId: string) =>
  queryOptions({
    queryKey: keys.proposal(companyId, proposalId),
    queryFn: async ({ signal }) =>
      (
        await apiOf(companyId).get('/api/notes/proposals/{proposalId}', {
          params: { path: { proposalId }, query: { context: 0 } },
          signal,
        })
      ).data,
    // Another operator may decide in the meantime.
    refetchInterval: ({ state }) => state.data?.state === 'open' && refreshMs.others,
  });

const page = 200;

/**
 * What a run proposed: the newest of its proposals. One that a later one of the same agent stands
 * for is left out.
 */
export const proposalsOfRunQuery = (companyId: string, runId: string) =>
  queryOptions({
    queryKey: [...keys.proposals(companyId), 'of run', runId],
    queryFn: async ({ signal }) => {
      const { items, nextCursor } = (
        await apiOf(companyId).get('/api/notes/proposals', {
          params: { query: { runId, limit: page } },
          signal,
        })
      ).data;
      const proposed = items.filter(({ state }) => state !== 'superseded');
      return { states: proposed.map(({ state }) => state), hasMore: nextCursor !== null };
    },
    refetchInterval: refreshMs.others,
  });

/** All open proposals of a run, newest first. */
export const readOpenOfRun = (
  companyId: string,
  runId: string,
): Promise<readonly Schema<'Proposal'>[]> =>
  readAll(
    async (cursor) =>
      (
        await apiOf(companyId).get('/api/notes/proposals', {
          params: { query: { state: 'open', runId, limit: page, ...cursorOf(cursor) } },
        })
      ).data,
  );

/** How many one request may decide. */
const decisionsMax = 100;

/** Decides about proposals in the order given; returns what became of each. */
export const decideProposals = async (
  companyId: string,
  decisions: readonly Schema<'ProposalDecision'>[],
): Promise<readonly Schema<'ProposalDecisionResult'>[]> => {
  const results: Schema<'ProposalDecisionResult'>[] = [];
  for (let start = 0; start < decisions.length; start += decisionsMax) {
    const { data } = await apiOf(companyId).post('/api/notes/proposals/decide', {
      body: { decisions: decisions.slice(start, start + decisionsMax) },
    });
    results.push(...data.results);
  }
  return results;
};
