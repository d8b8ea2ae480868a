import type { AppError, ProposalId } from '@commonplace/contracts/core';
import type { ProposalDecision, ProposalDecisionResult } from '@commonplace/contracts/notes';
import { asAppError } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { acceptProposal, type Accepting } from './accept-proposal.ts';
import { readProposal, readProposalState } from './read-proposal.ts';
import { rejectProposal } from './reject-proposal.ts';

type DecidingDeps = Pick<Deps, 'db' | 'write' | 'clock' | 'findProposalDeciders' | 'log'>;

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
  await acceptProposal(deps, caller, { row, text: decision });
  return { id, status: 'accepted', revision: await readRevision(deps, caller, id) };
};

/** The revision that an accepted proposal became; null: none, or it could not be read. */
const readRevision = async (
  deps: DecidingDeps,
  caller: Accepting,
  id: ProposalId,
): Promise<number | null> => {
  try {
    return (await readProposalState(deps, caller, id)).revision;
  } catch (thrown) {
    deps.log.warn({ err: thrown }, 'the revision of an accepted proposal is not shown');
    return null;
  }
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
