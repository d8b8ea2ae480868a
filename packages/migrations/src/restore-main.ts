import { parseArgs } from 'node:util';
import { adoptRestored } from './backup/adopt-restored.ts';
import { UnknownOutcomeError } from './backup/commit-for-sure.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { readMigrationEnvironment } from './migration-environment.ts';

/** What people are told goes to standard output. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Brings the backup named by the argument into the database of DATABASE_URL. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    force: { type: 'boolean', default: false },
    adopt: { type: 'boolean', default: false },
  },
});
/** In which state a restore that failed leaves the database. */
const stateAfter = (error: unknown): string => {
  if (isRestored) {
    return 'The backup is restored, but the work after it failed; run pnpm migrate';
  }
  return error instanceof UnknownOutcomeError
    ? 'Either nothing was changed, or the backup is restored: restore it again to be sure'
    : 'Nothing was changed';
};

let isRestored = false;
const options = {
  ...readMigrationEnvironment(),
  log: say,
  onCommit: () => {
    isRestored = true;
  },
};
const [path] = positionals;
try {
  if (values.adopt) {
    await adoptRestored(options);
    say('The database is taken over: every sync epoch is new, and nobody is signed in.');
  } else if (path === undefined) {
    throw new Error('name the file: pnpm restore <file> [--force]');
  } else {
    const { createdAt, rows } = await restoreBackup({ ...options, path, isForced: values.force });
    const notes = rows['notes.notes'] ?? 0;
    say(`Restored the backup of ${createdAt}: ${notes} notes. Start the services.`);
  }
} catch (error) {
  process.stderr.write(`${stateAfter(error)}: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
