import type { CompanyTx } from '@commonplace/db';
import type { RunCancellation } from './insert-run-cancellation.ts';

/** Locks the oldest unfinished cancellation of the company that no other process works on, or null. */
export const lockRunCancellation = async (tx: CompanyTx): Promise<RunCancellation | null> => {
  const [row] = await tx.query<RunCancellation>(statement, [tx.companyId]);
  return row ?? null;
};

const statement = `
  select id, agent_id as "agentId", because, actor, at
  from agents.run_cancellations
  where company_id = $1
  order by at, id
  limit 1
  for update skip locked`;
