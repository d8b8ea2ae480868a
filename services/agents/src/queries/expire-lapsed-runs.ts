import { runColumns, type EndedRunRow } from './run-row.ts';
import type { ChangeTx } from './tx.ts';

/**
 * Ends the runs whose token was not renewed in time, at the moment it lapsed; they cost what they
 * reserved. Runs that another process is ending right now are passed over.
 */
export const expireLapsedRuns = (tx: ChangeTx, now: Date, limit: number): Promise<EndedRunRow[]> =>
  tx.query<EndedRunRow>(statement, [tx.companyId, now, limit]);

const statement = `
  update agents.runs r
  set status = 'expired', finished_at = r.token_expires_at, cost_cents = r.reserved_cents
  where r.company_id = $1 and r.id in (
    select lapsed.id
    from agents.runs lapsed
    where lapsed.company_id = $1 and lapsed.status = 'running' and lapsed.token_expires_at <= $2
    order by lapsed.token_expires_at
    limit $3
    for update skip locked
  )
  returning ${runColumns}`;
