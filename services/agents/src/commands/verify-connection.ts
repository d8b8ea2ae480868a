import {
  intersectGrants,
  type AgentId,
  type CompanyId,
  type ConnectionId,
  type HeldGrants,
  type OperatorId,
  type Role,
  type Scope,
} from '@commonplace/contracts/core';
import { lookup, read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { isLocalOperator, narrowByRole } from '../policy/connections.ts';
import { isFormerEpoch } from '../policy/run-source.ts';
import { isActiveKey } from '../policy/state.ts';
import { findConnectionOfToken, type VerifiedConnection } from '../queries/connection-tokens.ts';
import { findConnection } from '../queries/connections.ts';

type VerifyDeps = Pick<Deps, 'lookups' | 'clock' | 'mode' | 'checkOperator'>;

/**
 * Finds the connection of an access token whose operator still stands for it. The account of the operator is in the auth
 * service; if that is unavailable, this fails and grants nothing.
 */
export const verifyConnection = async (
  deps: VerifyDeps,
  digests: readonly string[],
): Promise<VerifiedConnection | null> => {
  const now = deps.clock();
  const found = await read(deps.lookups, 'global', (tx) => findConnectionOfToken(tx, digests, now));
  const scopes = found && (await scopesNow(deps, found));
  return scopes ? { ...found, scopes } : null;
};

/** What an active connection of an agent allows, for a request that waited; null: it has ended. */
export const findConnectionRights = async (
  deps: VerifyDeps,
  named: {
    readonly companyId: CompanyId;
    readonly agentId: AgentId;
    readonly connectionId: ConnectionId;
  },
): Promise<{ readonly scopes: readonly Scope[]; readonly grants: HeldGrants } | null> => {
  const { companyId, agentId, connectionId } = named;
  const row = await lookup(deps.lookups, companyId, (tx) => findConnection(tx, connectionId));
  const isActive = row?.agentId === agentId && isActiveKey(row, deps.clock());
  const scopes = row && isActive ? await scopesNow(deps, row) : null;
  return row && scopes && { scopes, grants: intersectGrants(row.grants, row.memberGrants) };
};

type Consented = {
  readonly createdBy: OperatorId;
  readonly accessEpoch: number;
  readonly role: Role | null;
  readonly scopes: readonly Scope[];
};

/** What the operator's present role leaves of the scopes; null: disabled, no member, or the account was taken away. */
const scopesNow = async (
  { mode, checkOperator }: VerifyDeps,
  { createdBy, accessEpoch, role, scopes }: Consented,
): Promise<readonly Scope[] | null> => {
  if (isLocalOperator(mode, createdBy)) {
    return scopes;
  }
  if (role === null) {
    return null;
  }
  const { isActive, accessEpoch: current } = await checkOperator({ operatorId: createdBy });
  return isActive && !isFormerEpoch(accessEpoch, current) ? narrowByRole(scopes, role) : null;
};
