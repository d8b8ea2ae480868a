import type { AgentRow } from './agent-row.ts';
import type { ChangeTx } from './tx.ts';

/** Writes everything of an agent that may change. */
export const updateAgent = async (tx: ChangeTx, agent: AgentRow): Promise<void> => {
  const { id, name, title, role, status, reportsTo, monthlyCents, updatedAt } = agent;
  const values = [tx.companyId, id, name, title, role, status, reportsTo, monthlyCents, updatedAt];
  await tx.query(statement, values);
};

const statement = `
  update agents.agents
  set name = $3, title = $4, role = $5, status = $6, reports_to = $7, monthly_cents = $8,
    updated_at = $9
  where company_id = $1 and id = $2`;
