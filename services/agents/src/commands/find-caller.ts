import { lookUpInCompany, readInCompany, runGlobal, type CompanyTx } from '@commonplace/db';
import type {
  AgentState,
  CallerLookUps,
  NamedAgent,
  NamedOperator,
  OperatorState,
} from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { isActiveKey } from '../policy/state.ts';
import { findAgentState } from '../queries/agents.ts';
import { findCompanyWithRole } from '../queries/companies.ts';
import { findKey } from '../queries/keys.ts';
import { verifyRun } from '../queries/runs.ts';

type LookUpDeps = Pick<Deps, 'db' | 'clock' | 'checkOperator'>;

/** Reads what callers are now, for this service and for others: from its own tables, and from auth. */
export const callerLookUps = (deps: LookUpDeps): CallerLookUps => ({
  findAgent: (agent) => findAgentCaller(deps, agent),
  findOperator: (operator) => findOperatorCaller(deps, operator),
});

/** The states of an agent and its company; null where it is unknown, or the key or run named with it has ended. */
export const findAgentCaller = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  { companyId, agentId, keyId, runId }: NamedAgent,
): Promise<AgentState | null> => {
  const isKeyAlive = async (tx: CompanyTx) => {
    const key = keyId === null ? null : await findKey(tx, agentId, keyId);
    return key !== null && isActiveKey(key, deps.clock());
  };
  const [state, isGood] = await lookUpInCompany(deps.db, companyId, (tx) =>
    Promise.all([findAgentState(tx, agentId), keyId === null || isKeyAlive(tx)]),
  );
  if (!isGood || runId === null) {
    return isGood ? state : null;
  }
  const run = await runGlobal(deps.db, (tx) => verifyRun(tx, runId, deps.clock()));
  return run?.agentId === agentId ? state : null;
};

/** The local operator has no account, and is an owner of every company. */
export const findOperatorCaller = async (
  { db, checkOperator }: LookUpDeps,
  { operatorId, isLocal, sessionId, companyId }: NamedOperator,
): Promise<OperatorState | null> => {
  const { isActive, isAdministrator } = isLocal
    ? { isActive: true, isAdministrator: true }
    : await checkOperator({ operatorId, ...(sessionId === null ? {} : { sessionId }) });
  if (!isActive) {
    return null;
  }
  const company =
    companyId && (await readInCompany(db, companyId, (tx) => findCompanyWithRole(tx, operatorId)));
  const role = isLocal ? 'owner' : company?.role;
  const membership = company && role ? { role, companyStatus: company.status } : null;
  return { isAdmin: isAdministrator, membership };
};
