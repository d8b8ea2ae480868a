import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { readOpenOfRun } from '../../api/proposal-queries.ts';
import { confirm } from '../../components/confirm.tsx';
import { detailOf } from '../../components/error-alert.tsx';
import { useIsAtOwnPage } from '../../components/use-is-at.ts';
import { countOf, titleOf } from './proposal-words.ts';
import { openRejectForm } from './reject-form.tsx';
import { showAccepted } from './show-accepted.ts';
import type { Decide } from './use-decide.ts';

type Proposal = Pick<Schema<'Proposal'>, 'id' | 'companyId' | 'noteId' | 'title' | 'note'>;

/** Decisions about many proposals. */
export type Bulk = {
  readonly isReading: boolean;
  readonly accept: (proposals: readonly Proposal[]) => void;
  /** Opens the form for the reason. */
  readonly reject: (proposals: readonly Proposal[], title?: string) => void;
  /** Accepts every open proposal of a run, once that is confirmed. */
  readonly acceptRun: (runId: string) => () => void;
};

/** What was decided, and which proposals are left open and why. */
export type BulkReport = {
  readonly text: string;
  readonly failed: readonly { readonly id: string; readonly title: string; readonly why: string }[];
};

type Report = (report: BulkReport) => void;

/** Accepts and rejects many proposals, newest first as lists have them. They are accepted in the order in which they were made. */
export const useBulk = (companyId: string, { many }: Decide, onReport: Report): Bulk => {
  const client = useQueryClient();
  /** Says what became of them: `done` where nothing failed. */
  const say = (outcome: Outcome, done: (text: string) => void): void => {
    const report = reportOf(outcome);
    if (outcome.error || report.failed.length > 0) {
      onReport(report);
    } else {
      done(report.text);
    }
  };
  const reject = useReject({ many }, (outcome) =>
    say(outcome, (message) => notifications.show({ message })),
  );
  const accept = (proposals: readonly Proposal[]): void =>
    many.mutate(acceptances(proposals), {
      onSettled: (results, error) => {
        say({ results, error, titles: titlesOf(proposals) }, () => undefined);
        showAccepted(client, acceptedOf(results ?? [], proposals));
      },
    });
  const isAtOwnPage = useIsAtOwnPage();
  const confirmRun = (proposals: readonly Proposal[]): void =>
    confirm({
      title: `Accept ${countOf(proposals.length)} of this run?`,
      text: 'Each is merged with what others have written in the meantime. Those that overlap stay open.',
      confirm: `Accept ${proposals.length}`,
      isDangerous: false,
      onConfirm: () => accept(proposals),
    });
  const reading = useMutation({
    mutationFn: (runId: string) => readOpenOfRun(companyId, runId),
    onError: (error) => notifications.show({ color: 'red', message: detailOf(error) }),
    onSuccess: (proposals) => {
      // Not over the page that the operator opened meanwhile.
      if (isAtOwnPage()) {
        confirmRun(proposals);
      }
    },
  });
  return {
    isReading: reading.isPending,
    accept,
    reject,
    acceptRun: (runId) => () => reading.mutate(runId),
  };
};

/** Rejects proposals for a reason. The next form for the same ones begins with one that could not be sent. */
const useReject = (
  { many }: Pick<Decide, 'many'>,
  say: (outcome: Outcome) => void,
): Bulk['reject'] => {
  const unsent = useRef({ ids: new Set<string>(), reason: '' });
  return (proposals, title = `Reject ${countOf(proposals.length)}`) =>
    openRejectForm({
      title,
      count: proposals.length,
      reason: proposals.every(({ id }) => unsent.current.ids.has(id)) ? unsent.current.reason : '',
      onReject: (reason) =>
        many.mutate(
          proposals.map(({ id }) => ({ id, decision: 'reject' as const, reason })),
          {
            onSettled: (results, error) => {
              unsent.current = {
                ids: new Set(error ? proposals.map(({ id }) => id) : []),
                reason,
              };
              say({ results, error, titles: titlesOf(proposals) });
            },
          },
        ),
    });
};

const acceptances = (proposals: readonly Proposal[]) =>
  proposals.toReversed().map(({ id }) => ({ id, decision: 'accept' as const }));

/** With the revisions that they became, in the order in which they were accepted. */
const acceptedOf = (
  results: readonly Schema<'ProposalDecisionResult'>[],
  proposals: readonly Proposal[],
) =>
  results.flatMap(({ id, status, revision }) => {
    const proposal = proposals.find((each) => each.id === id);
    return proposal && status === 'accepted' ? [{ ...proposal, revision }] : [];
  });

const titlesOf = (proposals: readonly Proposal[]): ReadonlyMap<string, string> =>
  new Map(proposals.map((proposal) => [proposal.id, titleOf(proposal)]));

type Outcome = {
  readonly results: readonly Schema<'ProposalDecisionResult'>[] | undefined;
  readonly error: Error | null;
  readonly titles: ReadonlyMap<string, string>;
};

const reportOf = ({ results = [], error, titles }: Outcome): BulkReport => {
  if (error) {
    return { text: `Not all proposals were decided: ${detailOf(error)}`, failed: [] };
  }
  const counted = (['accepted', 'rejected'] as const).flatMap((status) => {
    const count = results.filter((result) => result.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const nameOf = (id: string): string => titles.get(id) ?? 'Untitled';
  const failed = results.flatMap(({ id, error: failure }) =>
    failure ? [{ id, title: nameOf(id), why: failure.detail }] : [],
  );
  const [only] = results;
  if (only && results.length === 1 && failed.length === 0) {
    const verb = only.status === 'accepted' ? 'Accepted' : 'Rejected';
    return { text: `${verb}: ${nameOf(only.id)}.`, failed };
  }
  const left = failed.length === 0 ? [] : [`${failed.length} not decided`];
  return { text: `${[...counted, ...left].join(', ')}.`, failed };
};
