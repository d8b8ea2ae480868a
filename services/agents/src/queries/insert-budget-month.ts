import type { AgentId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Makes sure that there is a row to book on. */
export const insertBudgetMonth = async (
  tx: ChangeTx,
  agentId: AgentId,
  month: string,
): Promise<void> => {
  await tx.query(statement, [tx.companyId, agentId, month]);
};

const statement = `
  insert into agents.budget_months (company_id, agent_id, month)
  values ($1, $2, $3::date)
  on conflict do nothing`;
