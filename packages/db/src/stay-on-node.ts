import { isOnCitus } from './on-citus.ts';
import type { CompanyTx } from './scoped-tx.ts';

/** Writes that change nothing: no row has these values. */
const emptyWrites = {
  'agents.companies': `update agents.companies set name = name where company_id = $1 and name = ''`,
  'notes.company_feed':
    'update notes.company_feed set head = head where company_id = $1 and head < 0',
} as const;

/**
 * Keeps Citus from moving the company to another node before COMMIT, by the lock on its shards that every write takes.
 * Send it before the first row lock: locking a row takes no such lock, so a transaction could lock and read rows on the
 * old node and then write on the new one, beside others. Does nothing on a plain PostgreSQL.
 */
export const stayOnNode = async (tx: CompanyTx, table: keyof typeof emptyWrites): Promise<void> => {
  if (isOnCitus(tx)) {
    await tx.query(emptyWrites[table], [tx.companyId], `stay on node: ${table}`);
  }
};
