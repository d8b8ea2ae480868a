import type { GlobalTx } from '@commonplace/db';

export type BackupRow = {
  readonly finished_at: Date;
  readonly total_rows: number;
  /** Null for a backup that was written to standard output. */
  readonly bytes: number | null;
  readonly is_verified: boolean;
};

/** The backup that finished last; null means none is known. */
export const findLastBackup = async (tx: GlobalTx): Promise<BackupRow | null> => {
  const [row] = await tx.query<BackupRow>(
    `select finished_at, total_rows::float8 as total_rows, bytes::float8 as bytes, is_verified
       from auth.backups
      order by finished_at desc
      limit 1`,
  );
  return row ?? null;
};
