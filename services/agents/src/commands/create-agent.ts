import { agentId, newId, type AgentId } from '@commonplace/contracts/core';
import type { CreateAgentBody } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { insertAgent } from '../queries/agents.ts';
import { insertEntityOwner } from '../queries/entity-owners.ts';
import { checkManager } from './check-manager.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

/** Creates an agent. */
export const createAgent = async (
  scope: CompanyTx,
  fields: CreateAgentBody,
  audit: CallerAuditContext,
): Promise<AgentId> => {
  const { tx } = await lockActiveCompany(
    scope,
    audit,
    fields.reportsTo === null ? 'share' : 'no key update',
  );
  if (fields.reportsTo !== null) {
    await checkManager(tx, null, fields.reportsTo);
  }
  const id = agentId.parse(newId());
  const { name, title, role, reportsTo, budget } = fields;
  const { monthlyCents } = budget;
  await insertAgent(tx, { id, name, title, role, reportsTo, monthlyCents, createdAt: audit.at });
  await insertEntityOwner(tx, 'agent', id);
  await recordActivity(tx, audit, [
    {
      action: 'agent.created',
      entity: ['agent', id],
      detail: { name, title, role, reportsTo, monthlyCents },
    },
  ]);
  return id;
};
