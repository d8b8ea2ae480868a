import type { AppError } from '@commonplace/contracts/core';
import type { ProposalDecision, ProposalDecisionResult } from '@commonplace/contracts/notes';
import { asAppError } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { acceptProposal, type Accepting } from './accept-proposal.ts';
import { readProposal } from './read-proposal.ts';
import { rejectProposal } from './reject-proposal.ts';

type DecidingDeps = Pick<Deps, 'db' | 'writeNotes' | 'clock' | 'findProposalDeciders' | 'log'>;

/** Decides about one of many proposals, if the caller still may; an error concerns this one only. */
const decideOne = async (
  deps: DecidingDeps,
  { work }: Accepting,
  decision: ProposalDecision,
): Promise<ProposalDecisionResult> => {
  const { id } = decision;
  const caller = { ...(await work.recheck()), work };
  const row = await readProposal(deps, caller, id);
  if (decision.decision === 'reject') {
    await rejectProposal(deps, caller, { row, reason: decision.reason });
    return { id, status: 'rejected', revision: null };
  }
  const { revision } = await acceptProposal(deps, caller, { row, text: decision });
  return { id, status: 'accepted', revision };
};

/**
 * Decides about proposals one after the other; one that fails leaves the others. Once the credentials of the caller have ended,
 * the rest fails with that.
 */
export const decideMany = async (
  deps: DecidingDeps,
  caller: Accepting,
  decisions: readonly ProposalDecision[],
): Promise<ProposalDecisionResult[]> => {
  const results: ProposalDecisionResult[] = [];
  let ended: AppError | null = null;
  for (const decision of decisions) {
    if (ended) {
      results.push(failed(decision, ended));
      continue;
    }
    try {
      results.push(await decideOne(deps, caller, decision));
    } catch (thrown) {
      const error = asAppError(thrown);
      ended = error.status === 401 ? error : null;
      if (ended && results.length === 0) {
        throw thrown;
      }
      if (error.status >= 500) {
        deps.log.warn({ err: thrown }, 'one of many proposals could not be decided');
      }
      results.push(failed(decision, error));
    }
  }
  return results;
};

const failed = ({ id }: ProposalDecision, { code, message }: AppError): ProposalDecisionResult => ({
  id,
  status: 'failed',
  revision: null,
  error: { code, detail: message },
});
