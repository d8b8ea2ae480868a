import type { GlobalTx } from '@commonplace/db';

export type BackupRow = {
  readonly finishedAt: Date;
  readonly totalRows: number;
  /** Null for a backup that was written to standard output. */
  readonly bytes: number | null;
  readonly isVerified: boolean;
};

/** The backup that finished last; null means none is known. */
export const findLastBackup = async (tx: GlobalTx): Promise<BackupRow | null> => {
  const [row] = await tx.query<BackupRow>(
    `select finished_at as "finishedAt", total_rows::float8 as "totalRows", bytes::float8 as bytes,
            is_verified as "isVerified"
       from auth.backups
      order by finished_at desc
      limit 1`,
  );
  return row ?? null;
};
