import { AppError } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import type { ProposalCaller } from './proposal-viewer.ts';

/** Throws unless a caller may decide about proposals at all. */
export const assertDecides = async (
  { findProposalDeciders }: Pick<Deps, 'findProposalDeciders'>,
  { caller, company }: ProposalCaller,
): Promise<void> => {
  if (caller.kind === 'agent' && (await findProposalDeciders(company.id)) !== 'agents') {
    throw new AppError('operator_only', 'Operators decide about proposals in this company.');
  }
};

/** Throws for the proposals of an agent, whichever of its credentials made them and whichever it decides with. */
export const assertOfAnother = (
  { caller }: Pick<ProposalCaller, 'caller'>,
  row: ProposalRow,
): void => {
  if (caller.kind === 'agent' && row.authorId === caller.agentId) {
    throw new AppError('own_proposal', 'Somebody else decides about it.');
  }
};
