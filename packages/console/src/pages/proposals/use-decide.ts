import type { Schema } from '@commonplace/client';
import {
  useMutation,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { savingApiOf } from '../../api/api.ts';
import { decideProposals, type ProposalFilter } from '../../api/proposal-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { showAccepted } from './show-accepted.ts';

type Proposal = Schema<'Proposal'>;

/** The content that is accepted instead of the proposed one, and the revision that it was made from. */
type AcceptedText = { readonly content: string; readonly revision?: number };

type Page = {
  readonly items: Proposal[];
  readonly nextCursor: string | null;
  readonly open: number;
};

/** Takes decided proposals out of the lists of open ones at once; a reload follows. */
const takeOut = (client: QueryClient, companyId: string, ids: ReadonlySet<string>): void => {
  client.setQueriesData<InfiniteData<Page>>(
    {
      queryKey: [...keys.proposals(companyId), 'list'],
      predicate: ({ queryKey }) => (queryKey.at(-1) as ProposalFilter).state === 'open',
    },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.filter(({ id }) => !ids.has(id)),
        })),
      },
  );
};

type Acceptance = {
  readonly id: string;
  readonly text?: AcceptedText;
  /** Before the next proposal is opened. Returns whether this one stays open: its text is newer than the accepted one. */
  readonly onAccepted?: () => boolean;
};

type OnDecided = (ids: ReadonlySet<string>, how: { readonly isStaying: boolean }) => void;

/** Accepting and rejecting. `onDecided` is called with what was decided, before the list is without it. */
export const useDecide = (companyId: string, onDecided: OnDecided) => {
  const client = useQueryClient();
  const reload = (): void => {
    void client.invalidateQueries({ queryKey: keys.proposals(companyId) });
    void client.invalidateQueries({ queryKey: keys.notes(companyId) });
  };
  // Not in `onError`: the page may be gone, or have another proposal open, and displays no error then.
  const reloadAfter = (_: unknown, error: Error | null): void => {
    if (error !== null) {
      reload();
    }
  };
  const settle = (ids: ReadonlySet<string>, isStaying = false): void => {
    onDecided(ids, { isStaying });
    takeOut(client, companyId, ids);
    reload();
  };
  const accept = useMutation({
    mutationFn: async ({ id, text }: Acceptance) =>
      (
        await savingApiOf(companyId).post('/api/notes/proposals/{proposalId}/accept', {
          params: { path: { proposalId: id } },
          body: text ?? {},
        })
      ).data.proposal,
    // The note or the proposal has changed since the page read it.
    onSettled: reloadAfter,
    onSuccess: (proposal, { onAccepted }) => {
      const isStaying = onAccepted?.() ?? false;
      showAccepted(client, [proposal]);
      settle(new Set([proposal.id]), isStaying);
    },
  });
  const many = useMutation({
    mutationFn: (decisions: readonly Schema<'ProposalDecision'>[]) =>
      decideProposals(companyId, decisions),
    // Some may have been decided.
    onSettled: reloadAfter,
    onSuccess: (results) =>
      settle(new Set(results.flatMap(({ id, status }) => (status === 'failed' ? [] : [id])))),
  });
  return { accept, many };
};

export type Decide = ReturnType<typeof useDecide>;
