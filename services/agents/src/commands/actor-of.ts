import type { ActivityActor } from '@commonplace/contracts/agents';
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

/** Who does it, and when: what every command wants to know. */
export const doingOf = (caller: AgentCaller | OperatorCaller, clock: () => Date): Doing => ({
  actor: actorOf(caller),
  at: clock(),
});

/** The service itself, for what happens by the clock. */
export const systemActor: ActivityActor = { kind: 'system', id: null, name: 'Commonplace' };
