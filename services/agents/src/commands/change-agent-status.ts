import { AppError, newId, type AgentId, type AgentStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertNotTerminated } from '../policy/assert-agent-state.ts';
import { insertRunCancellation } from '../queries/insert-run-cancellation.ts';
import { lockAgent } from '../queries/lock-agent.ts';
import { revokeKeysOfAgent } from '../queries/revoke-keys-of-agent.ts';
import { updateAgent } from '../queries/update-agent.ts';
import { assertRunsCancelled } from './finish-cancellations.ts';
import { openCompany } from './open-company.ts';
import { recordActivity, type Doing } from './record-activity.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CallerDoing } from './actor-of.ts';

const actions = {
  active: 'agent.resumed',
  paused: 'agent.paused',
  terminated: 'agent.terminated',
} as const;

export type StatusChange = { readonly agentId: AgentId; readonly status: AgentStatus };

/**
 * Pauses, resumes or terminates an agent; asked again it changes nothing. Whoever does not stay
 * active loses its runs, whoever is terminated its keys too. The tokens of the runs are dead when this commits;
 * the runs are only queued to be cancelled here, because there may be very many (`finishCancellations`). Its reports keep it as their manager: who
 * they answer to is for people to decide, and the chart tells what was.
 */
export const changeAgentStatus = async (
  scope: CompanyTx,
  { agentId, status }: StatusChange,
  doing: CallerDoing,
): Promise<void> => {
  const { tx } = await openCompany(scope, doing);
  const agent = await lockAgent(tx, agentId, 'no key update');
  if (!agent) {
    throw new AppError('not_found');
  }
  if (agent.status === status) {
    return;
  }
  assertNotTerminated(agent.status);
  if (status === 'active') {
    await assertRunsCancelled(tx, agentId);
  }
  await updateAgent(tx, { ...agent, status, updatedAt: doing.at });
  await recordActivity(tx, doing, [{ action: actions[status], entity: ['agent', agentId] }]);
  if (status !== 'active') {
    await insertRunCancellation(tx, {
      id: newId(),
      agentId,
      because: `agent ${status}`,
      ...doing,
    });
  }
  if (status === 'terminated') {
    await revokeAllKeys(tx, agentId, doing);
  }
};

const revokeAllKeys = async (tx: ChangeTx, agentId: AgentId, doing: Doing): Promise<void> => {
  const keyIds = await revokeKeysOfAgent(tx, agentId, doing.at);
  const detail = { agentId, because: 'agent terminated' };
  await recordActivity(
    tx,
    doing,
    keyIds.map((keyId) => ({ action: 'key.revoked', entity: ['key', keyId], detail })),
  );
};
