import type { ChangeTx } from './tx.ts';

/**
 * Removes a cancellation unless a run is left for it: one that another transaction holds locked may yet turn
 * out to be running. Gives back whether it was removed.
 */
export const deleteRunCancellation = async (tx: ChangeTx, id: string): Promise<boolean> =>
  (await tx.query(statement, [tx.companyId, id])).length === 1;

const statement = `
  delete from agents.run_cancellations c
  where c.company_id = $1 and c.id = $2
    and not exists (
      select from agents.runs r
      where r.company_id = $1 and (c.agent_id is null or r.agent_id = c.agent_id)
        and r.status = 'running' and r.token_expires_at > c.at
    )
  returning c.id`;
