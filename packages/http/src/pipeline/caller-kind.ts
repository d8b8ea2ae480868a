import {
  AppError,
  assertHeld,
  type Access,
  type RequiredScope,
  type Scope,
} from '@commonplace/contracts/core';
import type { AgentCaller, Caller, OperatorCaller } from '@commonplace/identity';

const assertService = (access: Access & { kind: 'service' }, caller: Caller): void => {
  if (caller.kind !== 'service' || !access.callers.includes(caller.service)) {
    throw new AppError('identity_required');
  }
};

const assertAgentMay = (access: Access, caller: AgentCaller): void => {
  if (access.kind === 'caller' && access.agents) {
    assertRequiredScope(access.scope, caller);
    return;
  }
  if (access.kind !== 'company' || access.agents === 'never') {
    throw new AppError('operator_only');
  }
  const isForKeys = access.agents === 'itself_by_key' && caller.keyId === null;
  // Connections start no runs and have none.
  if (isForKeys || (access.agents !== 'own_company' && caller.connection)) {
    throw new AppError('key_required');
  }
  assertRequiredScope(access.scope, caller);
};

const assertRequiredScope = (required: RequiredScope, caller: AgentCaller): void => {
  if (required !== 'any') {
    assertScope(caller, required);
  }
};

/**
 * 403 unless the credential of an agent has the scope (RFC 6750 section 3.1). Operators have all. The
 * framework checks the scope of the contract; a handler calls this for what depends on the body.
 */
export const assertScope = (caller: AgentCaller | OperatorCaller, needed: Scope): void => {
  if (caller.kind === 'agent') {
    assertHeld(caller.scopes, needed);
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

/** Checks whether this kind of caller, with the scopes of its credential, may use the route. It looks at no entity. */
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
