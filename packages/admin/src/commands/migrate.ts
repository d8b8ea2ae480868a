import { migrateAll, readMigrationEnvironment } from '@commonplace/migrations';
import { print, type Command } from '../command.ts';

/** Migrates the database of DATABASE_URL. */
export const migrate: Command = {
  options: {},
  run: ({ env }) => migrateAll({ ...readMigrationEnvironment(env), log: print }),
};
