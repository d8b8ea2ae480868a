import { queryFlag, timestamp } from '../common.ts';
import { agentId } from '../ids.ts';

/** The filters of the lists of API keys and connections of a company. */
export const credentialFilter = {
  agentId: agentId.optional().meta({ description: 'Only those of this agent' }),
  active: queryFlag.optional().meta({
    description:
      'Only those that are neither revoked nor expired, or only the others. Default: all',
  }),
  unusedSince: timestamp.optional().meta({
    description: 'Only active ones that were created, and last used if at all, before this time',
  }),
  expiresBefore: timestamp.optional().meta({
    description: 'Only active ones that expire before this time',
  }),
};
