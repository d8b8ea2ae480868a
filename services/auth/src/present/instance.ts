import type { Instance } from '@commonplace/contracts/auth';
import type { BackupRow } from '../queries/backups.ts';

/** A finished backup, as administrators see it. */
export const presentBackup = (row: BackupRow): Instance['backup'] => ({
  finishedAt: row.finishedAt.toISOString(),
  rows: row.totalRows,
  bytes: row.bytes,
  isVerified: row.isVerified,
});
