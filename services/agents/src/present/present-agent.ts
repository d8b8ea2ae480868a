import { remainingCents, type Agent } from '@commonplace/contracts/agents';
import type { FullAgentRow } from '../queries/agent-row.ts';

/** An agent as the API shows it. */
export const presentAgent = (row: FullAgentRow): Agent => ({
  id: row.id,
  companyId: row.companyId,
  name: row.name,
  title: row.title,
  role: row.role,
  status: row.status,
  reportsTo: row.reportsTo,
  chainOfCommand: [...row.chainOfCommand],
  budget: presentBudget(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const presentBudget = (row: FullAgentRow): Agent['budget'] => {
  const { monthlyCents, spentCents, reservedCents } = row;
  const start = new Date(`${row.month}T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return {
    monthlyCents,
    spentCents,
    reservedCents,
    remainingCents: remainingCents(row),
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
  };
};
