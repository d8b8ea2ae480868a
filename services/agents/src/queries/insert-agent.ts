import type { AgentRow } from './agent-row.ts';
import type { ChangeTx } from './tx.ts';

export type NewAgent = Omit<AgentRow, 'companyId' | 'status' | 'updatedAt'>;

/** Inserts an agent, active. */
export const insertAgent = async (tx: ChangeTx, agent: NewAgent): Promise<void> => {
  const { id, name, title, role, reportsTo, monthlyCents, createdAt } = agent;
  const values = [tx.companyId, id, name, title, role, reportsTo, monthlyCents, createdAt];
  await tx.query(statement, values);
};

const statement = `
  insert into agents.agents (
    company_id, id, name, title, role, status, reports_to, monthly_cents, created_at, updated_at
  )
  values ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $8)`;
