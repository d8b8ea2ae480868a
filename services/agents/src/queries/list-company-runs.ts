import type { RunStatus } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { runColumns, type RunRow } from './run-row.ts';

type RunsPage = {
  readonly after: readonly [startedAt: string, id: string] | null;
  readonly limit: number;
  /** Only runs that are shown with this status at the time `now`. */
  readonly status: RunStatus | undefined;
  readonly now: Date;
};

/** The runs of a company, newest first: one more than `limit`, if there are. */
export const listCompanyRuns = (
  tx: CompanyTx,
  { after, limit, status, now }: RunsPage,
): Promise<RunRow[]> => {
  const values = [tx.companyId, ...(after ?? [null, null]), limit + 1];
  switch (status) {
    case undefined:
      return tx.query<RunRow>(statement(''), values);
    case 'running':
      return tx.query<RunRow>(statement(running), [...values, now]);
    case 'expired':
      return tx.query<RunRow>(statement(expired), [...values, now]);
    default:
      return tx.query<RunRow>(statement('and r.status = $5'), [...values, status]);
  }
};

/** Statements of their own, so that each is read along an index. A lapsed run counts as expired, as it is shown. */
const running = "and r.status = 'running' and r.token_expires_at > $5";
const expired = "and (r.status = 'expired' or (r.status = 'running' and r.token_expires_at <= $5))";

const statement = (condition: string): string => `
  select ${runColumns}
  from agents.runs r
  where r.company_id = $1
    and ($2::timestamptz is null or (r.started_at, r.id) < ($2, $3::uuid))
    ${condition}
  order by r.started_at desc, r.id desc
  limit $4`;
