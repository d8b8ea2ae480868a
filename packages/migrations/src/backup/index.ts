export { UnknownOutcomeError } from './commit-for-sure.ts';
export { finalizeRestore } from './finalize-restore.ts';
export { recordBackup } from './record-backup.ts';
export { restoreBackup } from './restore-backup.ts';
export { verifyBackup } from './verify-backup.ts';
export { writeBackup, type BackupSummary } from './write-backup.ts';
