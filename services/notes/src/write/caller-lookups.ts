import { checkAgentContract, checkOperatorCallerContract } from '@commonplace/contracts/internal';
import type { CallerLookUps, ServiceClient } from '@commonplace/http';

/** Reads what callers are now from the agents service, which asks auth about sessions. */
export const callerLookups = (callAgents: ServiceClient): CallerLookUps => ({
  findAgent: async ({ companyId, agentId, keyId, runId }) => {
    const named = {
      companyId,
      agentId,
      ...(keyId === null ? {} : { keyId }),
      ...(runId === null ? {} : { runId }),
    };
    return (await callAgents(checkAgentContract, named)).agent;
  },
  findOperator: async (operator) =>
    (await callAgents(checkOperatorCallerContract, operator)).operator,
});
