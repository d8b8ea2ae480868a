import type { Proposal } from '@commonplace/contracts/notes';
import { reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import { readPresentedProposal } from './read-proposal.ts';
import type { ProposalCaller } from './proposal-viewer.ts';

/** What the route of a write needs that may become a proposal. */
export type ProposingDeps = Pick<
  Deps,
  'db' | 'writeNotes' | 'describeAuthors' | 'describeRecent' | 'findProposalDeciders' | 'log'
>;

/** The response of a write that became a proposal. */
export const proposedReply = async (
  deps: Pick<Deps, 'db' | 'describeRecent' | 'findProposalDeciders' | 'log'>,
  caller: ProposalCaller,
  { id, existing }: Pick<ProposalRow, 'id'> & { readonly existing?: boolean },
) => {
  const proposal: Proposal = await readPresentedProposal(deps, caller, id);
  const body = { proposal, ...(existing ? { existing: true as const } : {}) };
  return reply(202, body, { Location: `/api/notes/proposals/${id}` });
};
