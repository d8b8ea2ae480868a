import { AppError, newId, type AgentId, type AgentStatus } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertNotTerminated } from '../policy/state.ts';
import { insertRunCancellation } from '../queries/run-cancellations.ts';
import { lockAgent, updateAgentRow } from '../queries/agents.ts';
import { revokeKeysOfAgent } from '../queries/keys.ts';
import { assertRunsCancelled } from './finish-cancellations.ts';
import { lockActiveCompany } from './begin-change.ts';
import { endConnections } from './revoke-connections.ts';
import { recordActivity, type AuditContext, type CallerAuditContext } from './audit.ts';
import type { ChangeTx } from '../queries/tx.ts';

const actions = {
  active: 'agent.resumed',
  paused: 'agent.paused',
  terminated: 'agent.terminated',
} as const;

export type StatusChange = { readonly agentId: AgentId; readonly status: AgentStatus };

/**
 * Pauses, resumes or terminates an agent; an unchanged status changes nothing. A paused or
 * terminated agent loses its runs; a terminated one also loses its keys and connections. The run tokens are invalid
 * as soon as this commits. The runs are only queued for cancellation (`finishCancellations`),
 * because there may be very many. Reports keep a terminated agent as their manager until somebody
 * reassigns them.
 */
export const updateAgentStatus = async (
  scope: CompanyTx,
  { agentId, status }: StatusChange,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(scope, audit);
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
  await updateAgentRow(tx, { ...agent, status, updatedAt: audit.at });
  await recordActivity(tx, audit, [{ action: actions[status], entity: ['agent', agentId] }]);
  if (status !== 'active') {
    await insertRunCancellation(tx, {
      id: newId(),
      agentId,
      reason: `agent ${status}`,
      ...audit,
    });
  }
  if (status === 'terminated') {
    await revokeAllKeys(tx, agentId, audit);
    await endConnections(tx, { agentId, because: 'agent terminated' }, audit);
  }
};

const revokeAllKeys = async (
  tx: ChangeTx,
  agentId: AgentId,
  audit: AuditContext,
): Promise<void> => {
  const keyIds = await revokeKeysOfAgent(tx, agentId, audit.at);
  const detail = { agentId, because: 'agent terminated' };
  await recordActivity(
    tx,
    audit,
    keyIds.map((keyId) => ({ action: 'key.revoked', entity: ['key', keyId], detail })),
  );
};
