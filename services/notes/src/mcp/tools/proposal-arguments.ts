import { proposalReason } from '@commonplace/contracts/notes';

/** What a call says of the proposal that it may become. */
export const proposalArguments = {
  reason: proposalReason.optional().describe('Why, for those who decide'),
};
