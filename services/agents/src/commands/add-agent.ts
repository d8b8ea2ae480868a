import { agentId, newId, type AgentId } from '@commonplace/contracts/core';
import type { CreateAgentBody } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { insertAgent } from '../queries/insert-agent.ts';
import { insertEntityOwner } from '../queries/insert-entity-owner.ts';
import { checkManager } from './check-manager.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

/** Creates an agent. */
export const addAgent = async (
  scope: CompanyTx,
  fields: CreateAgentBody,
  doing: CallerDoing,
): Promise<AgentId> => {
  const { tx } = await openCompany(
    scope,
    doing,
    fields.reportsTo === null ? 'share' : 'no key update',
  );
  if (fields.reportsTo !== null) {
    await checkManager(tx, null, fields.reportsTo);
  }
  const id = agentId.parse(newId());
  const { name, title, role, reportsTo, budget } = fields;
  const { monthlyCents } = budget;
  await insertAgent(tx, { id, name, title, role, reportsTo, monthlyCents, createdAt: doing.at });
  await insertEntityOwner(tx, 'agent', id);
  await recordActivity(tx, doing, [
    {
      action: 'agent.created',
      entity: ['agent', id],
      detail: { name, title, role, reportsTo, monthlyCents },
    },
  ]);
  return id;
};
