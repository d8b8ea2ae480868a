import { AppError, roleAllows, type CompanyAccess, type Method } from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { CompanyScope } from './route-types.ts';

export type CompanyRequest = {
  readonly access: CompanyAccess;
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
  readonly params: Readonly<Record<string, unknown>>;
};

/** The role of an operator, or the identity of an agent, must allow the route (403). */
export const assertRole = ({ access, caller, company, params }: CompanyRequest): void => {
  if (caller.kind === 'operator') {
    if (
      access.operators === 'never' ||
      company.role === null ||
      !roleAllows(company.role, access.operators)
    ) {
      throw new AppError('role_insufficient');
    }
    return;
  }
  const isOtherAgent = params['agentId'] !== undefined && params['agentId'] !== caller.agentId;
  if (access.agents === 'itself_by_key' && isOtherAgent) {
    throw new AppError('not_own_agent');
  }
  if (
    access.agents === 'itself_by_key_or_run' &&
    caller.runId !== null &&
    caller.runId !== params['runId']
  ) {
    throw new AppError('not_own_agent');
  }
};

type WriteScope = Pick<CompanyRequest, 'caller' | 'company'>;

/** Rejects writes of paused agents and to archived companies (409). Handlers check preconditions first. */
export const assertWritable = (scope: WriteScope): void => {
  const blocker = writeBlocker(scope);
  if (blocker) {
    throw new AppError(blocker);
  }
};

/** False when `assertWritable` would throw. */
export const isWritable = (scope: WriteScope): boolean => writeBlocker(scope) === null;

const writeBlocker = ({ caller, company }: WriteScope) => {
  if (caller.kind === 'agent' && caller.agentStatus === 'paused') {
    return 'agent_paused';
  }
  return company.status === 'archived' ? 'company_archived' : null;
};

/** Applies `assertWritable` where the contract leaves it to the framework. */
export const assertState = (request: CompanyRequest, method: Method): void => {
  const state = request.access.state ?? (method === 'get' ? 'any' : 'writable');
  if (state === 'writable') {
    assertWritable(request);
  }
};
