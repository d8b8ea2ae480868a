import type { ProposalState } from '@commonplace/contracts/notes';
import type { ChangeError } from './decision.ts';

type Stored = { readonly state: ProposalState; readonly expiresAt: Date };

/** What a proposal is at a time: past its end an open one has expired, also before that is stored. */
export const proposalStateAt = ({ state, expiresAt }: Stored, at: Date): ProposalState =>
  state === 'open' && expiresAt <= at ? 'expired' : state;

/** Why a proposal cannot be decided, with what became of it. */
export const proposalDecided = (state: ProposalState): ChangeError => ({
  code: 'proposal_decided',
  detail: `The proposal is ${state}.`,
  extensions: { state },
});
