import type { ProposalId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { listProposalsById } from '../queries/proposals.ts';
import { acceptanceOf, type Outcome, type WriteRequest } from './change.ts';

/**
 * A proposal that a batch accepts or replaces has ended meanwhile. The code is that of a serialization failure, so that the
 * transaction is retried; the retry reads the proposals under the lock.
 */
export class EndedElsewhereError extends Error {
  readonly code = '40001';

  constructor() {
    super('A proposal ended while it was being accepted or replaced');
    this.name = 'EndedElsewhereError';
  }
}

/** One attempt to write a batch. */
export type Attempt = {
  readonly requests: readonly WriteRequest[];
  /** Whether something that was read before the lock has changed. */
  readonly isRetry: boolean;
};

/**
 * Whether the proposals that a batch accepts count as they were read before the lock. Only where it does nothing else: no
 * other change continues their texts then, and `endProposal` finds those that have ended since.
 */
export const areReadBefore = ({ requests, isRetry }: Attempt): boolean =>
  !isRetry &&
  requests.every(({ changes }) => changes.every((change) => acceptanceOf(change) !== null));

/**
 * Throws if a proposal that counts as it was read before the lock has ended since, and is refused for another reason. Those
 * that are accepted are checked when they end.
 */
export const assertNoneEnded = async (
  tx: CompanyTx,
  attempt: Attempt,
  outcomes: readonly (readonly Outcome[] | Error)[],
): Promise<void> => {
  const refused = areReadBefore(attempt) ? refusedOf(attempt.requests, outcomes) : [];
  if (refused.length === 0) {
    return;
  }
  const rows = await listProposalsById(tx, refused);
  if (rows.filter(({ state }) => state === 'open').length < refused.length) {
    throw new EndedElsewhereError();
  }
};

/** The proposals that are refused although they were open when they were read. */
const refusedOf = (
  requests: readonly WriteRequest[],
  outcomes: readonly (readonly Outcome[] | Error)[],
): ProposalId[] => {
  const refused = requests.flatMap(({ changes }, index) => {
    const decided = outcomes[index] ?? [];
    return decided instanceof Error
      ? []
      : changes.flatMap((change, place) =>
          isRefused(decided[place]) ? (acceptanceOf(change)?.proposalId ?? []) : [],
        );
  });
  return [...new Set(refused)];
};

const isRefused = (outcome: Outcome | undefined): boolean =>
  outcome?.status === 'rejected' && outcome.error?.code !== 'proposal_decided';
