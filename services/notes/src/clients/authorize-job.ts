import {
  agentId,
  AppError,
  findGrantBeyond,
  operatorId,
  roleAllows,
  type CompanyId,
  type CompanyStatus,
} from '@commonplace/contracts/core';
import { checkAgentContract, listMembershipsContract } from '@commonplace/contracts/internal';
import type { ServiceClient } from '@commonplace/http';
import { isKnownToDiffer, type JobCaller } from '../queries/job-caller.ts';

type JobAuthority = {
  readonly companyId: CompanyId;
  readonly caller: JobCaller;
  /** The job changes notes, which paused agents and archived companies may not. */
  readonly isWriting: boolean;
};

/** Throws when the caller of a job may no longer do what the job does. */
export type AuthorizeJob = (authority: JobAuthority) => Promise<void>;

/**
 * Checks access at the agents service. A job outlives the credential that started it, but not the agent, its grants, the
 * membership, the operator's access to the account or the company.
 */
export const createJobAuthorizer =
  (callAgents: ServiceClient): AuthorizeJob =>
  async (authority) => {
    const { kind } = authority.caller.author;
    const companyStatus = await (kind === 'agent'
      ? statusForAgent(callAgents, authority)
      : statusForOperator(callAgents, authority));
    if (companyStatus === 'archived' && authority.isWriting) {
      throw new AppError('company_archived');
    }
  };

const statusForAgent = async (
  callAgents: ServiceClient,
  { companyId, caller, isWriting }: JobAuthority,
): Promise<CompanyStatus> => {
  const id = agentId.parse(caller.author.id);
  const { agent } = await callAgents(checkAgentContract, { companyId, agentId: id });
  if (!agent || agent.agentStatus === 'terminated') {
    throw new AppError('agent_terminated');
  }
  if (agent.agentStatus === 'paused' && isWriting) {
    throw new AppError('agent_paused');
  }
  // What it has done and read with grants that the agent has lost must not go on, nor be shown.
  if (findGrantBeyond(agent.grants ?? null, caller.grants ?? null)) {
    throw new AppError('folder_not_granted', 'The grants of the agent have changed.');
  }
  return agent.companyStatus;
};

const statusForOperator = async (
  callAgents: ServiceClient,
  { companyId, caller }: JobAuthority,
): Promise<CompanyStatus> => {
  const { memberships, accessEpoch, memberSince } = await callAgents(listMembershipsContract, {
    operatorId: operatorId.parse(caller.author.id),
    isLocal: caller.isLocal,
    companyId,
    limit: 1,
  });
  if (isFormerEpoch(caller.accessEpoch, accessEpoch)) {
    throw new AppError(
      'role_insufficient',
      'Access to the account was taken away after the operator ordered this.',
    );
  }
  // Removed, and a member again.
  if (isKnownToDiffer(caller.memberSince, memberSince)) {
    throw new AppError(
      'role_insufficient',
      'The operator was removed from the company after ordering this.',
    );
  }
  const [membership] = memberships;
  if (!membership || !roleAllows(membership.role, 'operator')) {
    throw new AppError('role_insufficient');
  }
  return membership.companyStatus;
};

/** Whether the access to the account was taken from who ordered the job. False where a release before stored or says no epoch. */
const isFormerEpoch = (ordered: number | undefined, current: number | undefined): boolean =>
  ordered !== undefined && current !== undefined && ordered < current;
