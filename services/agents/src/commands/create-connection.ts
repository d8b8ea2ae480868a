import {
  AppError,
  assertGrantsHeld,
  connectionId,
  connectionScopes,
  newId,
  type HeldGrants,
  intersectGrants,
  simplifyGrants,
  type AgentId,
  type CompanyId,
  type ConnectionId,
  type OperatorId,
  type Role,
  type Scope,
  type SessionId,
} from '@commonplace/contracts/core';
import type { ConnectionClient } from '@commonplace/contracts/agents';
import { read, write, type CompanyTx, type Db } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertConnectionsLeft, assertMayConsent, isLocalOperator } from '../policy/connections.ts';
import { assertCompanyActive, assertNotTerminated } from '../policy/state.ts';
import { lockAgent } from '../queries/agents.ts';
import { lockCompany } from '../queries/companies.ts';
import {
  countActiveConnections,
  findConnection,
  hasConnectionWith,
  insertConnection,
} from '../queries/connections.ts';
import { findEntityOwner, insertEntityOwner } from '../queries/entity-owners.ts';
import { hasFullKey } from '../queries/keys.ts';
import { lockMember, type MemberRow } from '../queries/members.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { recordActivity, type AuditContext } from './audit.ts';
import { trustChange } from './begin-change.ts';
import type { CheckedSession } from './check-session.ts';
import { insertNewAgent } from './create-agent.ts';
import { assertRecentSignIn } from './require-recent-sign-in.ts';

export type Consent = {
  /** The id that the connection gets. If it exists, an earlier attempt made it. */
  readonly connectionId?: ConnectionId | undefined;
  readonly operatorId: OperatorId;
  /** Without one the sign-in counts as not recent. The local operator has none. */
  readonly sessionId?: SessionId | undefined;
  readonly companyId: CompanyId;
  /** An agent of the company, or the name of a new one. */
  readonly agent: { readonly agentId: AgentId } | { readonly name: string };
  readonly scopes: readonly Scope[];
  /** The notes it reaches; absent or null: all of its agent. */
  readonly grants?: HeldGrants | undefined;
  readonly expiresAt: Date | null;
  readonly client: ConnectionClient;
};

type ConsentDeps = Pick<Deps, 'db' | 'clock' | 'mode' | 'checkOperator' | 'agentsMax'>;

/**
 * Creates the connection that an operator consented to. The role is read with the company locked, as for every
 * change: a removal or a lower role either waits for this, or is seen.
 */
export const createConnection = async (
  deps: ConsentDeps,
  consent: Consent,
): Promise<ConnectionId> => {
  const { db, mode, agentsMax } = deps;
  const { operatorId, scopes, companyId } = consent;
  const grants = simplifyGrants(consent.grants ?? null);
  const isLocal = isLocalOperator(mode, operatorId);
  const session: CheckedSession = isLocal ? {} : await readSession(deps, consent);
  await assertOfNoOtherCompany(db, consent);
  const at = deps.clock();
  return write(db, companyId, async (scope) => {
    // So strong that repetitions wait for each other.
    const company = await lockCompany(scope, 'no key update');
    const { name, role, grants: ofOperator } = await lockOperator(scope, operatorId, isLocal);
    if (!company) {
      throw new AppError('cross_company');
    }
    assertMayConsent(role, scopes);
    assertCompanyActive(company.status);
    const made = consent.connectionId && (await findConnection(scope, consent.connectionId));
    if (made) {
      // It was ended on purpose since.
      if (made.revokedAt !== null) {
        throw new AppError('connection_ended', 'It was revoked; start again in the app.');
      }
      return made.id;
    }
    if (!isLocal && grants === null && (await isFirstWithAllScopes(scope, scopes, at))) {
      assertRecentSignIn(session);
    }
    const tx = trustChange(scope, 'the operator consented, and its role was read under the lock');
    const audit = { actor: { kind: 'operator', id: operatorId, name }, at } as const;
    const agent = await agentOf(tx, { agent: consent.agent, role, agentsMax }, audit);
    // Without grants of its own it has those of its agent and its operator, whatever they become.
    if (grants !== null) {
      assertGrantsHeld(intersectGrants(agent.grants, ofOperator), grants);
    }
    const agentId = agent.id;
    const { accessEpoch = 0 } = session;
    return insertNewConnection(tx, { ...consent, grants, agentId, accessEpoch, role }, audit);
  });
};

const assertOfNoOtherCompany = async (db: Db, { companyId, agent }: Consent): Promise<void> => {
  if ('agentId' in agent) {
    const owner = await read(db, 'global', (tx) => findEntityOwner(tx, 'agent', agent.agentId));
    if (owner !== null && owner !== companyId) {
      throw new AppError('cross_company', 'The agent belongs to another company.');
    }
  }
};

/** Reads the state of the account, and of the session if one is named. */
const readSession = async (
  { checkOperator }: ConsentDeps,
  { operatorId, sessionId }: Consent,
): Promise<CheckedSession> => {
  const named = sessionId === undefined ? { operatorId } : { operatorId, sessionId };
  const { isActive, ...session } = await checkOperator(named);
  if (!isActive) {
    throw new AppError('session_expired');
  }
  return session;
};

const lockOperator = async (
  tx: CompanyTx,
  operatorId: OperatorId,
  isLocal: boolean,
): Promise<Pick<MemberRow, 'name' | 'role' | 'grants'>> => {
  if (isLocal) {
    return { name: 'Local board', role: 'owner', grants: null };
  }
  const member = await lockMember(tx, operatorId);
  if (!member) {
    throw new AppError('cross_company');
  }
  return member;
};

/** The first credential that may do everything is how a stolen session would stay in the company. */
const isFirstWithAllScopes = async (
  tx: CompanyTx,
  scopes: readonly Scope[],
  now: Date,
): Promise<boolean> =>
  connectionScopes.every((each) => scopes.includes(each)) &&
  !(await hasFullKey(tx, now)) &&
  !(await hasConnectionWith(tx, connectionScopes, now));

type AgentChoice = Pick<Consent, 'agent'> & { readonly role: Role; readonly agentsMax: number };

/** Locks the agent, so that no other transaction adds connections to it, or creates it. */
const agentOf = async (
  tx: ChangeTx,
  { agent, role, agentsMax }: AgentChoice,
  audit: AuditContext,
): Promise<{ readonly id: AgentId; readonly grants: HeldGrants }> => {
  if ('agentId' in agent) {
    const found = await lockAgent(tx, agent.agentId, 'no key update');
    if (!found) {
      throw new AppError('not_found');
    }
    assertNotTerminated(found.status);
    return found;
  }
  if (role === 'viewer') {
    throw new AppError('role_insufficient', 'Viewers create no agents.');
  }
  const fields = {
    title: '',
    role: 'assistant',
    reportsTo: null,
    budget: { monthlyCents: null },
    grants: null,
  };
  const id = await insertNewAgent(tx, { ...fields, name: agent.name, agentsMax }, audit);
  return { id, grants: null };
};

type NewConnectionInput = Consent & {
  readonly grants: HeldGrants;
  readonly agentId: AgentId;
  readonly accessEpoch: number;
  readonly role: Role;
};

const insertNewConnection = async (
  tx: ChangeTx,
  consent: NewConnectionInput,
  audit: AuditContext,
): Promise<ConnectionId> => {
  const { agentId, scopes, grants, client, accessEpoch, operatorId, role, expiresAt } = consent;
  const active = await countActiveConnections(tx, { agentId, operatorId, now: audit.at });
  assertConnectionsLeft(role, active);
  const id = consent.connectionId ?? connectionId.parse(newId());
  const granted = connectionScopes.filter((each) => scopes.includes(each));
  await insertConnection(tx, {
    id,
    agentId,
    client,
    scopes: granted,
    grants,
    createdBy: operatorId,
    accessEpoch,
    createdAt: audit.at,
    expiresAt,
  });
  await insertEntityOwner(tx, 'connection', id);
  await recordActivity(tx, audit, [
    {
      action: 'connection.created',
      entity: ['connection', id],
      detail: { agentId, client, scopes: granted, expiresAt, ...(grants ? { grants } : {}) },
    },
  ]);
  return id;
};
