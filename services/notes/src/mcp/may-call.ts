import { hasScope, listScopes, roleAllows, type RouteContract } from '@commonplace/contracts/core';
import { assertCallerKind, assertRole } from '@commonplace/http';
import type { McpSession } from './mcp-session.ts';

/** Whether the scopes or the role of the caller allow a route, so that tools it cannot use are not listed. */
export const mayCall = (
  { caller, company }: Pick<McpSession, 'caller' | 'company'>,
  { access }: RouteContract,
): boolean => {
  if (access.kind !== 'company') {
    return false;
  }
  if (caller.kind === 'agent') {
    const { scope } = access;
    return scope !== undefined && (scope === 'any' || hasScope(caller.scopes, scope));
  }
  return (
    access.operators !== 'never' &&
    company.role !== null &&
    roleAllows(company.role, access.operators)
  );
};

/** Throws what a call of the route would: a caller without access learns nothing of what the validation says. */
export const assertMayCall = (
  { caller, company }: Pick<McpSession, 'caller' | 'company'>,
  { access, operationId }: RouteContract,
): void => {
  if (access.kind !== 'company') {
    throw new Error(`${operationId} is no route of a company`);
  }
  assertCallerKind(access, caller);
  assertRole({ access, caller, company, params: {} });
};

/** The scopes of an agent's credential; an operator has all. */
export const scopesOf = ({ caller }: Pick<McpSession, 'caller'>) =>
  listScopes(caller.kind === 'agent' ? caller.scopes : null);
