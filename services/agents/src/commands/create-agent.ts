import {
  agentId,
  AppError,
  newId,
  simplifyGrants,
  type AgentId,
} from '@commonplace/contracts/core';
import type { CreateAgentBody } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { countAgents, insertAgent } from '../queries/agents.ts';
import { insertEntityOwner } from '../queries/entity-owners.ts';
import { checkManager } from './check-manager.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type AuditContext, type CallerAuditContext } from './audit.ts';
import type { ChangeTx } from '../queries/tx.ts';

export type CreateAgentInput = CreateAgentBody & {
  /** The limit of agents per company. */
  readonly agentsMax: number;
};

/** Creates an agent. 409 `agent_limit` at the limit of the company. */
export const createAgent = async (
  scope: CompanyTx,
  input: CreateAgentInput,
  audit: CallerAuditContext,
): Promise<AgentId> => {
  // Serializes the creations of a company, so that each counts the agents before it.
  const { tx } = await lockActiveCompany(scope, audit, 'no key update');
  return insertNewAgent(tx, input, audit);
};

/** Inserts an agent, unless the company is at its limit. Lock the company first. */
export const insertNewAgent = async (
  tx: ChangeTx,
  { agentsMax, ...fields }: CreateAgentInput,
  audit: AuditContext,
): Promise<AgentId> => {
  if ((await countAgents(tx, agentsMax)) >= agentsMax) {
    throw new AppError('agent_limit', `A company can have at most ${agentsMax} agents.`);
  }
  if (fields.reportsTo !== null) {
    await checkManager(tx, null, fields.reportsTo);
  }
  const id = agentId.parse(newId());
  const { name, title, role, reportsTo, budget } = fields;
  const { monthlyCents = null, monthlyTokens = null } = budget;
  const limits = { monthlyCents, monthlyTokens };
  const grants = simplifyGrants(fields.grants);
  await insertAgent(tx, {
    id,
    name,
    title,
    role,
    reportsTo,
    ...limits,
    grants,
    createdAt: audit.at,
  });
  await insertEntityOwner(tx, 'agent', id);
  await recordActivity(tx, audit, [
    {
      action: 'agent.created',
      entity: ['agent', id],
      detail: { name, title, role, reportsTo, ...limits, ...(grants ? { grants } : {}) },
    },
  ]);
  return id;
};
