import {
  AppError,
  type AgentId,
  type ConnectionId,
  type RunId,
  type KeyId,
  type UndoId,
} from '@commonplace/contracts/core';
import { read, write, type CompanyTx, type Db } from '@commonplace/db';
import type { CompanyRequest } from '@commonplace/http';
import { findAgentRow } from '../queries/agents.ts';
import { findConnection } from '../queries/connections.ts';
import { findEntityOwner } from '../queries/entity-owners.ts';
import { findAgentOfKey } from '../queries/keys.ts';
import { findRun } from '../queries/runs.ts';
import { recordActivity, type AuditEvent, type CallerAuditContext } from './audit.ts';
import { lockActiveCompany } from './begin-change.ts';
import { updateAgentStatus } from './update-agent-status.ts';

/** What wrote the changes that are undone; one of these is set. */
type UndoneSource = {
  readonly runId?: RunId | undefined;
  readonly keyId?: KeyId | undefined;
  readonly connectionId?: ConnectionId | undefined;
  readonly agentId?: AgentId | undefined;
  readonly undoId?: UndoId | undefined;
};

export type SourceStop = {
  readonly source: UndoneSource;
  readonly undoId: UndoId;
  readonly pause: boolean;
  readonly dryRun: boolean;
};

type StoppedSource = {
  readonly agentId: AgentId | null;
  readonly isPaused: boolean;
  /** Of a dry run. */
  readonly isActive?: boolean;
};

/** An operator that may pause an agent may undo what it wrote. */
export const undoAccess: CompanyRequest['access'] = {
  kind: 'company',
  company: 'selected',
  agents: 'never',
  operators: 'operator',
};

/**
 * Pauses the agent of a source, and records that its changes are undone. An agent that is paused or terminated stays as
 * it is. Throws 404, or 403 where another company has the source.
 */
export const stopSource = async (
  db: Db,
  { source, undoId, pause, dryRun }: SourceStop,
  audit: CallerAuditContext,
): Promise<StoppedSource> => {
  const companyId = audit.request.company.id;
  const stopped = await write(db, companyId, async (scope) => {
    const { tx } = await lockActiveCompany(scope, audit);
    const agentId = await agentOf(scope, source);
    if (agentId === undefined) {
      return null;
    }
    if (dryRun) {
      const agent = agentId && (await findAgentRow(scope, agentId));
      return { agentId, isPaused: false, isActive: agent?.status === 'active' };
    }
    const isPaused = pause && agentId !== null && (await pauseActive(scope, agentId, audit));
    await recordActivity(tx, audit, [eventOf(source, { undoId, companyId, writerId: agentId })]);
    return { agentId, isPaused };
  });
  return stopped ?? (await throwUnknown(db, source));
};

/** The agent of a source; null: an undo has none; undefined: the company has no such source. */
const agentOf = async (
  tx: CompanyTx,
  { runId, keyId, connectionId, agentId }: UndoneSource,
): Promise<AgentId | null | undefined> => {
  if (runId !== undefined) {
    return (await findRun(tx, runId))?.agentId;
  }
  if (keyId !== undefined) {
    return (await findAgentOfKey(tx, keyId)) ?? undefined;
  }
  if (connectionId !== undefined) {
    return (await findConnection(tx, connectionId))?.agentId;
  }
  return agentId === undefined ? null : (await findAgentRow(tx, agentId))?.id;
};

const pauseActive = async (
  scope: CompanyTx,
  agentId: AgentId,
  audit: CallerAuditContext,
): Promise<boolean> => {
  const agent = await findAgentRow(scope, agentId);
  if (agent?.status !== 'active') {
    return false;
  }
  await updateAgentStatus(scope, { agentId, status: 'paused' }, audit);
  return true;
};

const eventOf = (
  { runId, keyId, connectionId, agentId, undoId: undone }: UndoneSource,
  {
    undoId,
    companyId,
    writerId,
  }: {
    readonly undoId: UndoId;
    readonly companyId: string;
    /** Null: what another undo wrote. */
    readonly writerId: AgentId | null;
  },
): AuditEvent => {
  const entity: AuditEvent['entity'] =
    runId !== undefined
      ? ['run', runId]
      : keyId !== undefined
        ? ['key', keyId]
        : connectionId !== undefined
          ? ['connection', connectionId]
          : agentId !== undefined
            ? ['agent', agentId]
            : ['company', companyId];
  const detail = {
    undoId,
    ...(writerId === null ? {} : { agentId: writerId }),
    ...(undone === undefined ? {} : { undone }),
  };
  return { action: 'notes.undone', entity, detail };
};

const throwUnknown = async (
  db: Db,
  { runId, keyId, connectionId, agentId }: UndoneSource,
): Promise<never> => {
  const named = [
    ['run', runId],
    ['key', keyId],
    ['connection', connectionId],
    ['agent', agentId],
  ] as const;
  for (const [kind, id] of named) {
    if (
      id !== undefined &&
      (await read(db, 'global', (tx) => findEntityOwner(tx, kind, id))) !== null
    ) {
      throw new AppError('cross_company', `The ${kind} belongs to another company.`);
    }
  }
  throw new AppError('not_found', 'The company has no such run, key, connection or agent.');
};
