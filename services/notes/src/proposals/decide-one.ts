import type { ProposalDecision, ProposalDecisionResult } from '@commonplace/contracts/notes';
import { asAppError } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { acceptProposal, type Accepting } from './accept-proposal.ts';
import { readProposal } from './read-proposal.ts';
import { rejectProposal } from './reject-proposal.ts';

type DecidingDeps = Pick<
  Deps,
  'db' | 'clock' | 'write' | 'readLarge' | 'describeAuthors' | 'findProposalDeciders' | 'log'
>;

/** Decides about one of many proposals; an error of the caller concerns this one only. */
export const decideOne = async (
  deps: DecidingDeps,
  caller: Accepting,
  decision: ProposalDecision,
): Promise<ProposalDecisionResult> => {
  const { id } = decision;
  try {
    const row = await readProposal(deps, caller, id);
    if (decision.decision === 'reject') {
      await rejectProposal(deps, caller, { row, reason: decision.reason });
      return { id, status: 'rejected', revision: null };
    }
    await acceptProposal(deps, caller, { row, text: decision });
    const { revision } = await readProposal(deps, caller, id);
    return { id, status: 'accepted', revision };
  } catch (thrown) {
    const { status, code, message } = asAppError(thrown);
    if (status === 401 || status >= 500) {
      throw thrown;
    }
    return { id, status: 'failed', revision: null, error: { code, detail: message } };
  }
};
