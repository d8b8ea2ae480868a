import { intersectGrants, type HeldGrants, type HeldScopes } from '@commonplace/contracts/core';
import { lookup, read } from '@commonplace/db';
import type {
  AgentState,
  CallerLookups,
  NamedAgent,
  NamedOperator,
  OperatorState,
} from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { isActiveKey } from '../policy/state.ts';
import { findAgentState, type AgentState as FoundState } from '../queries/agents.ts';
import { findCompanyWithRole } from '../queries/companies.ts';
import { findKey } from '../queries/keys.ts';
import { findConnectionRights } from './verify-connection.ts';
import { verifyEndedRun, verifyRun } from './verify-run.ts';

type LookupDeps = Pick<Deps, 'lookups' | 'clock' | 'mode' | 'checkOperator'>;

/**
 * Looks up the current state of callers: agents in its own tables, operators in the auth service.
 */
export const callerLookups = (deps: LookupDeps): CallerLookups => ({
  findAgent: (agent) => findAgentCaller(deps, agent),
  findOperator: (operator) => findOperatorCaller(deps, operator),
});

/**
 * Returns the status of an agent and its company, and the rights of its credential; null if it is unknown or its key, run or
 * connection has ended.
 */
export const findAgentCaller = async (
  deps: LookupDeps,
  { companyId, agentId, keyId, runId, connectionId, acceptsEndedRun }: NamedAgent,
): Promise<AgentState | null> => {
  const [state, key] = await lookup(deps.lookups, companyId, (tx) =>
    Promise.all([findAgentState(tx, agentId), keyId && findKey(tx, agentId, keyId)]),
  );
  if (keyId !== null && !(key && isActiveKey(key, deps.clock()))) {
    return null;
  }
  if (connectionId !== null) {
    const rights = await findConnectionRights(deps, { companyId, agentId, connectionId });
    return state && rights && withRights(state, rights);
  }
  if (runId === null) {
    return state && withRights(state, { scopes: key?.scopes ?? null, grants: key?.grants ?? null });
  }
  const run =
    (await verifyRun(deps, runId)) ??
    (acceptsEndedRun === true ? await verifyEndedRun(deps, runId) : null);
  const grants = run && 'grants' in run ? run.grants : null;
  return state && run?.agentId === agentId ? withRights(state, { ...run, grants }) : null;
};

/** The grants of a credential are those that its agent has as well. */
const withRights = (
  { grants, ...state }: FoundState,
  rights: { readonly scopes: HeldScopes; readonly grants: HeldGrants },
): AgentState => ({
  ...state,
  scopes: rights.scopes,
  grants: intersectGrants(grants, rights.grants),
});

/**
 * Returns the current authority of an operator; null if it is disabled or its session has ended.
 * The local operator has no account and is an owner of every company.
 */
export const findOperatorCaller = async (
  { lookups, checkOperator }: LookupDeps,
  { operatorId, isLocal, sessionId, companyId }: NamedOperator,
): Promise<OperatorState | null> => {
  const { isActive, isAdministrator, accessEpoch } = isLocal
    ? { isActive: true, isAdministrator: true, accessEpoch: undefined }
    : await checkOperator({ operatorId, ...(sessionId === null ? {} : { sessionId }) });
  if (!isActive) {
    return null;
  }
  const company =
    companyId &&
    (await read(lookups, companyId, (tx) => findCompanyWithRole(tx, { operatorId, isLocal })));
  const membership = company?.role
    ? {
        role: company.role,
        companyStatus: company.status,
        ...(company.grants ? { grants: [...company.grants] } : {}),
        ...(company.since ? { since: company.since.toISOString() } : {}),
      }
    : null;
  return {
    isAdmin: isAdministrator,
    ...(accessEpoch === undefined ? {} : { accessEpoch }),
    membership,
  };
};
