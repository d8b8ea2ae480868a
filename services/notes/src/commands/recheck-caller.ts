import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { checkAgentContract, listMembershipsContract } from '@commonplace/contracts/internal';
import type { RecheckCaller, ServiceClient } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';

/**
 * Makes the function that looks up again who sent a request that has waited: an agent with its key or run, an operator
 * with its role in the company of the request. The agents service is asked anew each time.
 */
export const callerRecheck =
  (callAgents: ServiceClient): RecheckCaller =>
  (caller, companyId) =>
    caller.kind === 'agent'
      ? recheckAgent(callAgents, caller)
      : recheckOperator(callAgents, caller, companyId);

const recheckAgent = async (
  callAgents: ServiceClient,
  caller: AgentCaller,
): Promise<AgentCaller> => {
  const { companyId, agentId, keyId, runId } = caller;
  const { agent } = await callAgents(checkAgentContract, {
    companyId,
    agentId,
    ...(keyId === null ? {} : { keyId }),
    ...(runId === null ? {} : { runId }),
  });
  if (!agent || agent.agentStatus === 'terminated' || agent.companyStatus === 'archived') {
    throw new AppError('invalid_token');
  }
  return { ...caller, agentStatus: agent.agentStatus };
};

const recheckOperator = async (
  callAgents: ServiceClient,
  caller: OperatorCaller,
  companyId: CompanyId | null,
): Promise<OperatorCaller> => {
  if (companyId === null) {
    return caller;
  }
  const { operatorId, isLocal } = caller;
  const { memberships } = await callAgents(listMembershipsContract, {
    operatorId,
    isLocal,
    companyId,
    limit: 1,
  });
  const companies = memberships.map(({ role, companyStatus }) => ({
    companyId,
    role,
    companyStatus,
  }));
  if (companies.length === 0) {
    throw new AppError('cross_company');
  }
  return { ...caller, companies };
};
