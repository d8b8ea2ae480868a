import { readConfig, type Environment } from '@commonplace/config';
import { readMigrationEnvironment } from '@commonplace/migrations';
import {
  UnknownOutcomeError,
  finalizeRestore,
  restoreBackup,
} from '@commonplace/migrations/backup';
import { makeDataDirectory } from '@commonplace/standalone/data-directory';
import { loadSecrets } from '@commonplace/standalone/load-secrets';
import { z } from 'zod';
import { UsageError, print, type Command } from '../command.ts';
import { withDatabase, type Database } from '../with-database.ts';

/** Restores a backup, or finishes a restore made by other means, while the system does not run. */
export const restore: Command = {
  options: {
    force: { type: 'boolean', default: false },
    adopt: { type: 'boolean', default: false },
  },
  argsMax: 1,
  run: async ({ options: { force, adopt }, args: [path], env }) => {
    if (Boolean(adopt) === (path !== undefined)) {
      throw new UsageError('name either the file to restore, or --adopt');
    }
    // Roles and migrations come before the new epochs, each committed by itself.
    let state =
      path === undefined
        ? 'The restore is not complete; run pnpm restore --adopt again'
        : 'Nothing was changed';
    const onCommit = () => {
      state = 'The backup is restored, but the work after it failed; run pnpm migrate';
    };
    try {
      // A backup can be restored into a new data directory; there is nothing to adopt in one.
      const needs = { isExclusive: true, mayCreate: path !== undefined };
      await withDatabase(env, needs, async (database) => {
        const migration = { ...(await migrationOptions(env, database)), log: print };
        if (path === undefined) {
          await finalizeRestore(migration);
          print('The restore is complete: every sync epoch is new, and all sessions have ended.');
          return;
        }
        const restored = { ...migration, path, isForced: force === true, onCommit };
        const { createdAt, rows } = await restoreBackup(restored);
        print(
          `Restored the backup of ${createdAt}: ${rows['notes.notes'] ?? 0} notes, deleted ones included. ` +
            'Start the services; without the former secrets (.env, or secrets.json of the data directory) they do not start.',
        );
      });
    } catch (error) {
      if (error instanceof UnknownOutcomeError) {
        state =
          'Either nothing was changed, or the backup is restored: restore it again to be sure';
      }
      throw new Error(`${state}: ${(error as Error).message}`, { cause: error });
    }
  },
};

const password = z.string().optional();
const passwordFields = z.object({
  AUTH_DATABASE_PASSWORD: password,
  AGENTS_DATABASE_PASSWORD: password,
  NOTES_DATABASE_PASSWORD: password,
});

/** The passwords of the environment. The data directory has those that are not given. */
const migrationOptions = async (env: Environment, { adminUrl, dataDir }: Database) => {
  const given = Object.entries(readConfig(passwordFields, env)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const isComplete = given.length === Object.keys(passwordFields.shape).length;
  const passwords = Object.fromEntries(given);
  return readMigrationEnvironment({
    DATABASE_URL: adminUrl,
    ...(isComplete ? passwords : await loadSecrets(await makeDataDirectory(dataDir), passwords)),
  });
};
