import knex from 'knex';
import type { Knex } from 'knex';
import { applyMigration } from './apply-migration.ts';
import type { MigrationRunner } from './apply-migration.ts';
import { createRunner } from './create-runner.ts';
import { applicationName } from './lock-waits.ts';
import type { MigrationSource } from './migration-source.ts';
import type { ServiceName } from './service-names.ts';
import type { BoundedLocks } from './with-bounded-locks.ts';

type ServiceMigration = Omit<BoundedLocks, 'db'> & {
  readonly adminUrl: string;
  readonly service: ServiceName;
  readonly source: MigrationSource;
};

/**
 * Applies the migrations of one service as the owner of its schema and returns the names of the new ones. The caller
 * holds the migration lock; that of knex is not used.
 */
export const migrateService = async (migration: ServiceMigration): Promise<string[]> => {
  const { adminUrl, service, source, log } = migration;
  const db = knex({
    client: 'pg',
    connection: adminUrl,
    pool: { min: 0, max: 1, afterCreate: becomeOwner(service) },
    log: { warn: log, error: log },
  });
  try {
    return await runMigrations(createRunner({ ...migration, db }), { service, source });
  } finally {
    await db.destroy();
  }
};

/**
 * Applies the migrations of one service, one after another, and returns the names of those that were new. Those of one
 * run have one number in the history, the first one 1: a service reads from it whether its database began with them.
 */
export const runMigrations = async (
  runner: MigrationRunner,
  { service, source }: Pick<ServiceMigration, 'service' | 'source'>,
): Promise<string[]> => {
  const { db } = runner;
  // Knex would refuse migrations of a newer release that it does not know; `migrateAll` checks those.
  const config = {
    migrationSource: source,
    schemaName: service,
    disableMigrationsListValidation: true,
  };
  // Creates the tables of the history where there are none.
  const [, names] = (await db.migrate.list(config)) as [unknown, string[]];
  await protectHistory(db, service);
  const batch = await nextBatch(db, service);
  for (const name of names) {
    await applyMigration(runner, { service, source, name, batch }).catch((error: Error) => {
      throw new Error(`The migration ${service}/${name} failed: ${error.message}`, {
        cause: error,
      });
    });
  }
  return names;
};

const nextBatch = async (db: Knex, service: ServiceName): Promise<number> => {
  const [last] = await db
    .withSchema(service)
    .from<{ batch: number }>('knex_migrations')
    .max('batch as batch');
  return (last?.batch ?? 0) + 1;
};

type RawConnection = { query: (sql: string, done: (error: Error | null) => void) => void };

const becomeOwner =
  (service: ServiceName) =>
  (connection: RawConnection, done: (error: Error | null, connection: RawConnection) => void) => {
    const settings = `${oneConnectionPerNode}; ${unboundedWaits}; set application_name = '${applicationName}'`;
    connection.query(`${settings}; set role ${service}_owner`, (error) => done(error, connection));
  };

/** The role of the running service may read the history of migrations, but not change it. */
const protectHistory = (db: Knex, service: ServiceName): Knex.Raw =>
  db.raw('revoke insert, update, delete on ??.knex_migrations, ??.knex_migrations_lock from ??', [
    service,
    service,
    `${service}_app`,
  ]);

/**
 * On Citus a migration may change tables and functions in one transaction only so. Any other PostgreSQL keeps the setting
 * without a meaning.
 */
const oneConnectionPerNode = `set citus.multi_shard_modify_mode = 'sequential'`;

/** Whatever the database says: transactions have bounds of their own, and what runs without one may wait. */
const unboundedWaits = 'set lock_timeout = 0';
