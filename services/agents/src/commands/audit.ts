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

/** Who does something, and when: every change of a company carries it. */
export type AuditContext = { readonly actor: ActivityActor; readonly at: Date };

export type AuditEvent = {
  readonly action: ActivityAction;
  readonly entity: readonly [type: ActivityEntityType, id: string];
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Appends to the audit, in the transaction of what it records: both are there, or neither. */
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

/** Who did it, for the audit: from the verified caller and nothing else. */
const actorOf = (caller: AgentCaller | OperatorCaller): ActivityActor =>
  caller.kind === 'operator'
    ? { kind: 'operator', id: caller.operatorId, name: caller.name }
    : {
        kind: 'agent',
        id: caller.agentId,
        name: caller.agentName,
        ...(caller.keyId ? { keyId: caller.keyId } : {}),
        ...(caller.runId ? { runId: caller.runId } : {}),
      };

/** What a caller does, with the request by which it may: a command judges that again under its locks. */
export type CallerAuditContext = AuditContext & { readonly request: CompanyRequest };

/** Who does it, when, and by which right: what every command wants to know. */
export const auditContextOf = (request: CompanyRequest, clock: () => Date): CallerAuditContext => ({
  actor: actorOf(request.caller),
  at: clock(),
  request,
});

/** As `auditContextOf`, where there is no company yet. */
export const auditContextWithoutCompany = (
  caller: OperatorCaller,
  clock: () => Date,
): AuditContext => ({
  actor: actorOf(caller),
  at: clock(),
});

/** The service itself, for what happens by the clock. */
export const systemActor: ActivityActor = { kind: 'system', id: null, name: 'Commonplace' };
