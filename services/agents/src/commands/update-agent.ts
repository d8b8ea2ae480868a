import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  simplifyGrants,
  type AgentId,
  type HeldGrants,
} from '@commonplace/contracts/core';
import type { UpdateAgentBody } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { limitsAfter } from '../policy/book-usage.ts';
import { budgetMonth } from '../policy/runs.ts';
import { assertNotTerminated } from '../policy/state.ts';
import { type AgentRow, lockAgent, updateAgentRow } from '../queries/agents.ts';
import { checkManager } from './check-manager.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';
import { warnOfBudgets } from './warn-of-budgets.ts';

/** Changes the given fields of an agent. */
export const updateAgent = async (
  scope: CompanyTx,
  { agentId, changes }: { readonly agentId: AgentId; readonly changes: UpdateAgentBody },
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(
    scope,
    audit,
    changes.reportsTo ? 'no key update' : 'share',
  );
  const before = await lockAgent(tx, agentId, 'no key update');
  if (!before) {
    throw new AppError('not_found');
  }
  assertNotTerminated(before.status);
  const after = applyTo(before, changes);
  if (after.reportsTo !== null && after.reportsTo !== before.reportsTo) {
    await checkManager(tx, agentId, after.reportsTo);
  }
  const detail = differences(before, after);
  if (Object.keys(detail).length === 0) {
    return;
  }
  await updateAgentRow(tx, { ...after, updatedAt: audit.at });
  await recordActivity(tx, audit, [
    { action: 'agent.updated', entity: ['agent', agentId], detail },
  ]);
  if (changes.budget !== undefined) {
    await warnOfBudgets(tx, audit, { agent: after, company: null, month: budgetMonth(audit.at) });
  }
};

const applyTo = (agent: AgentRow, changes: UpdateAgentBody): AgentRow => ({
  ...agent,
  name: changes.name ?? agent.name,
  title: changes.title ?? agent.title,
  role: changes.role ?? agent.role,
  reportsTo: changes.reportsTo === undefined ? agent.reportsTo : changes.reportsTo,
  ...limitsAfter(agent, changes.budget),
  grants: grantsAfter(agent, changes),
});

/** Equal grants are the same object, so that an equal list is not a change. */
const grantsAfter = ({ grants: held }: AgentRow, { grants }: UpdateAgentBody): HeldGrants => {
  const wanted = grants === undefined ? held : simplifyGrants(grants);
  return isDeepStrictEqual(wanted, held) ? held : wanted;
};

const fields = [
  'name',
  'title',
  'role',
  'reportsTo',
  'monthlyCents',
  'monthlyTokens',
  'grants',
] as const;

/** The changed fields with their old and new values, for the audit log. */
const differences = (before: AgentRow, after: AgentRow) =>
  Object.fromEntries(
    fields
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );
