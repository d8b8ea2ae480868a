import { checkAgentContract, checkOperatorCallerContract } from '@commonplace/contracts/internal';
import type { CallerLookups, ServiceClient } from '@commonplace/http';

/** Looks up the current state of callers at the agents service, which checks sessions at auth. */
export const callerLookups = (callAgents: ServiceClient): CallerLookups => ({
  findAgent: async ({ companyId, agentId, keyId, runId, connectionId }) => {
    const named = {
      companyId,
      agentId,
      ...(keyId === null ? {} : { keyId }),
      ...(runId === null ? {} : { runId }),
      ...(connectionId === null ? {} : { connectionId }),
    };
    return (await callAgents(checkAgentContract, named)).agent;
  },
  findOperator: async (operator) =>
    (await callAgents(checkOperatorCallerContract, operator)).operator,
});
