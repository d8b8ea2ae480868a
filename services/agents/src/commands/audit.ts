import { newId } from '@commonplace/contracts/core';
import type {
  ActivityAction,
  ActivityActor,
  ActivityEntityType,
} from '@commonplace/contracts/agents';
import { insertActivity } from '../queries/activity.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CompanyRequest } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';

/** The actor and the time of a change. */
export type AuditContext = { readonly actor: ActivityActor; readonly at: Date };

export type AuditEvent = {
  readonly action: ActivityAction;
  readonly entity: readonly [type: ActivityEntityType, id: string];
  readonly detail?: Readonly<Record<string, unknown>>;
};

/**
 * Appends to the audit log in the transaction of the change: either both commit or neither does.
 */
export const recordActivity = async (
  tx: ChangeTx,
  { actor, at }: AuditContext,
  events: readonly AuditEvent[],
): Promise<void> => {
  if (events.length === 0) {
    return;
  }
  const entries = events.map(({ action, entity: [type, id], detail = {} }) => ({
    id: newId(),
    at,
    actor,
    action,
    entity: { type, id },
    detail,
  }));
  await insertActivity(tx, entries);
};

/** The actor in the audit log, taken from the verified caller only. */
export const actorOf = (caller: AgentCaller | OperatorCaller): ActivityActor =>
  caller.kind === 'operator'
    ? { kind: 'operator', id: caller.operatorId, name: caller.name }
    : {
        kind: 'agent',
        id: caller.agentId,
        name: caller.agentName,
        ...(caller.keyId ? { keyId: caller.keyId } : {}),
        ...(caller.runId ? { runId: caller.runId } : {}),
      };

/**
 * An audit context with the request of the caller: commands authorize it again under their locks.
 */
export type CallerAuditContext = AuditContext & { readonly request: CompanyRequest };

/** Creates the audit context of a request. */
export const auditContextOf = (request: CompanyRequest, clock: () => Date): CallerAuditContext => ({
  actor: actorOf(request.caller),
  at: clock(),
  request,
});

/** Creates the audit context of a request that belongs to no company yet. */
export const auditContextWithoutCompany = (
  caller: OperatorCaller,
  clock: () => Date,
): AuditContext => ({
  actor: actorOf(caller),
  at: clock(),
});

/** The service itself, for scheduled work. */
export const systemActor: ActivityActor = { kind: 'system', id: null, name: 'Commonplace' };
