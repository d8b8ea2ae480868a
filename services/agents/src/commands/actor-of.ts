import type { ActivityActor } from '@commonplace/contracts/agents';
import type { CompanyRequest } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Doing } from './record-activity.ts';

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
export type CallerDoing = Doing & { readonly request: CompanyRequest };

/** Who does it, when, and by which right: what every command wants to know. */
export const doingOf = (request: CompanyRequest, clock: () => Date): CallerDoing => ({
  actor: actorOf(request.caller),
  at: clock(),
  request,
});

/** As `doingOf`, where there is no company yet. */
export const founding = (caller: OperatorCaller, clock: () => Date): Doing => ({
  actor: actorOf(caller),
  at: clock(),
});

/** The service itself, for what happens by the clock. */
export const systemActor: ActivityActor = { kind: 'system', id: null, name: 'Commonplace' };
