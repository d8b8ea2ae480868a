import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  intersectScopes,
  type AgentStatus,
  type CompanyId,
  type CompanyStatus,
  type ConnectionId,
  type HeldGrants,
  type HeldScopes,
  type NoteGrant,
  type Role,
} from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { RecheckCaller } from './confirm-caller.ts';

export type NamedAgent = Pick<AgentCaller, 'companyId' | 'agentId' | 'keyId' | 'runId'> & {
  readonly connectionId: ConnectionId | null;
  /** A run that has ended within the last hour is as good as a running one. */
  readonly acceptsEndedRun?: boolean | undefined;
};
export type AgentState = {
  readonly agentStatus: AgentStatus;
  readonly companyStatus: CompanyStatus;
  /** What the key, run or connection holds now; absent or null: all. */
  readonly scopes?: HeldScopes | undefined;
  /** What the agent and its credential reach now; absent or null: all notes. */
  readonly grants?: HeldGrants | undefined;
};

export type NamedOperator = Pick<OperatorCaller, 'operatorId' | 'isLocal' | 'sessionId'> & {
  readonly companyId: CompanyId | null;
};
export type OperatorState = {
  readonly isAdmin: boolean;
  /** Rises whenever everything that gave access to the account is removed; absent for the local operator. */
  readonly accessEpoch?: number | undefined;
  /** Null means not a member of the company, or no company was given. */
  readonly membership: {
    readonly role: Role;
    readonly companyStatus: CompanyStatus;
    /** What a viewer reaches now; absent: all notes. */
    readonly grants?: NoteGrant[] | undefined;
    /** When it began; absent for the local operator. */
    readonly since?: string | undefined;
  } | null;
};

/** Looks up the current state of callers, without a cache. */
export type CallerLookups = {
  /** Null means no such agent in the company, or its key, run or connection has ended. */
  readonly findAgent: (agent: NamedAgent) => Promise<AgentState | null>;
  /** Null means the operator is disabled, or its session has ended. */
  readonly findOperator: (operator: NamedOperator) => Promise<OperatorState | null>;
};

/**
 * Creates the function that looks up the caller of a request that waited: an agent with its key, run or connection, or an
 * operator with its session, administrator rights and role in the company of the request.
 */
export const callerRecheck =
  (lookups: CallerLookups): RecheckCaller =>
  (caller, companyId, { acceptsEndedRun } = {}) =>
    caller.kind === 'agent'
      ? recheckAgent(lookups, caller, acceptsEndedRun)
      : recheckOperator(lookups, caller, companyId);

const recheckAgent = async (
  { findAgent }: CallerLookups,
  caller: AgentCaller,
  acceptsEndedRun: boolean | undefined,
): Promise<AgentCaller> => {
  const { companyId, agentId, keyId, runId, connection } = caller;
  const named = { companyId, agentId, keyId, runId, connectionId: connection?.id ?? null };
  const agent = await findAgent({ ...named, acceptsEndedRun });
  if (!agent || agent.agentStatus === 'terminated' || agent.companyStatus === 'archived') {
    throw new AppError('invalid_token');
  }
  // An agents service of a release without scopes names none; nothing is ever added to those verified.
  const scopes = intersectScopes(caller.scopes, agent.scopes ?? null);
  // A run that has ended reaches no notes: its grants are not looked up, and reports do not need them.
  if (acceptsEndedRun !== true) {
    assertSameGrants(caller, agent);
  }
  return { ...caller, agentStatus: agent.agentStatus, scopes };
};

type WithGrants = { readonly grants?: HeldGrants | undefined };

/** What a request has read by other grants may be no longer its own: it begins again. */
const assertSameGrants = ({ grants: before }: WithGrants, { grants: now }: WithGrants): void => {
  if (!isDeepStrictEqual(before ?? null, now ?? null)) {
    throw new AppError('folder_not_granted', 'The grants of the credential have changed; retry.');
  }
};

const recheckOperator = async (
  { findOperator }: CallerLookups,
  caller: OperatorCaller,
  companyId: CompanyId | null,
): Promise<OperatorCaller> => {
  const { operatorId, isLocal, sessionId } = caller;
  const operator = await findOperator({ operatorId, isLocal, sessionId, companyId });
  if (!operator) {
    throw new AppError('session_expired');
  }
  const { isAdmin, membership } = operator;
  if (companyId === null) {
    return { ...caller, isAdmin };
  }
  if (!membership) {
    throw new AppError('cross_company');
  }
  const before = caller.companies?.find((grant) => grant.companyId === companyId);
  assertSameGrants(before ?? {}, membership);
  const { role, companyStatus, grants } = membership;
  const company = { companyId, role, companyStatus, ...(grants ? { grants } : {}) };
  return { ...caller, isAdmin, companies: [company] };
};
