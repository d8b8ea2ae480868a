import { AppError, type Access } from '@commonplace/contracts/core';
import type { AgentCaller, Caller, OperatorCaller } from '@commonplace/identity';

const assertService = (access: Access & { kind: 'service' }, caller: Caller): void => {
  if (caller.kind !== 'service' || !access.callers.includes(caller.service)) {
    throw new AppError('identity_required');
  }
};

const assertAgentMay = (access: Access, caller: AgentCaller): void => {
  if (access.kind === 'caller' && access.agents) {
    return;
  }
  if (access.kind !== 'company' || access.agents === 'never') {
    throw new AppError('operator_only');
  }
  if (access.agents === 'itself_by_key' && caller.keyId === null) {
    throw new AppError('key_required');
  }
};

const assertOperatorMay = (access: Access, caller: OperatorCaller): void => {
  if (access.kind === 'administrator' && !caller.isAdmin) {
    throw new AppError('administrator_only');
  }
  if (access.kind === 'company' && access.operators === 'never') {
    throw new AppError('agent_only');
  }
};

/** The first judgement: may this kind of caller use the route at all? It looks at no entity. */
export const assertCallerKind = (access: Access, caller: Caller): void => {
  if (access.kind === 'service') {
    assertService(access, caller);
  } else if (caller.kind === 'service') {
    throw new AppError('identity_required');
  } else if (caller.kind === 'agent') {
    assertAgentMay(access, caller);
  } else {
    assertOperatorMay(access, caller);
  }
};
