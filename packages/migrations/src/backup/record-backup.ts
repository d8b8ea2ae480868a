import { connectAdmin } from '../connect-admin.ts';
import { hasTable } from './has-table.ts';

export type FinishedBackup = {
  readonly finishedAt: Date;
  readonly rows: number;
  /** Null if it was written to standard output. */
  readonly bytes: number | null;
  readonly isVerified: boolean;
};

const keptMax = 100;

/**
 * Records a finished backup, so that the page of the instance can show the last one. A backup holds the records
 * of those before it. A schema from before the table is left alone.
 */
export const recordBackup = async (adminUrl: string, backup: FinishedBackup): Promise<void> => {
  const client = await connectAdmin(adminUrl);
  try {
    if (!(await hasTable(client, 'auth.backups'))) {
      return;
    }
    await client.query('set role auth_owner');
    await client.query(
      `insert into auth.backups (finished_at, total_rows, bytes, is_verified)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [backup.finishedAt, backup.rows, backup.bytes, backup.isVerified],
    );
    await client.query(
      `delete from auth.backups
       where finished_at < (
         select finished_at from auth.backups order by finished_at desc offset $1 limit 1
       )`,
      [keptMax],
    );
  } finally {
    await client.end();
  }
};
