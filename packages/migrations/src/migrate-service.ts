import knex from 'knex';
import type { Knex } from 'knex';
import type { MigrationSource } from './migration-source.ts';
import type { ServiceName } from './service-names.ts';

type ServiceMigration = {
  readonly adminUrl: string;
  readonly service: ServiceName;
  readonly source: MigrationSource;
  readonly log: (line: string) => void;
};

/**
 * Applies the migrations of one service as the owner of its schema and returns the names of the new ones: all in one
 * transaction, or each in its own if one of them runs without. The caller holds the migration lock, so a lock that a
 * killed knex left in its table is removed.
 */
export const migrateService = async (migration: ServiceMigration): Promise<string[]> => {
  const { adminUrl, service, source, log } = migration;
  const db = knex({
    client: 'pg',
    connection: adminUrl,
    pool: { min: 0, max: 2, afterCreate: becomeOwner(service) },
    migrations: { schemaName: service },
    log: { warn: log, error: log },
  });
  try {
    await db.migrate.forceFreeMigrationsLock();
    return await runMigrations(db, { service, source });
  } finally {
    await db.destroy();
  }
};

/**
 * Applies the migrations of one service over a connection or transaction that acts as the owner of its
 * schema. Returns the names of those that were new.
 */
export const runMigrations = async (
  db: Knex,
  { service, source }: Pick<ServiceMigration, 'service' | 'source'>,
): Promise<string[]> => {
  // Knex would refuse migrations of a newer release that it does not know; `migrateAll` checks those.
  const config = {
    migrationSource: source,
    schemaName: service,
    disableMigrationsListValidation: true,
  };
  const [, names] = (await db.migrate.latest(config)) as [number, string[]];
  await protectHistory(db, service);
  return names;
};

type RawConnection = { query: (sql: string, done: (error: Error | null) => void) => void };

const becomeOwner =
  (service: ServiceName) =>
  (connection: RawConnection, done: (error: Error | null, connection: RawConnection) => void) => {
    connection.query(`${oneConnectionPerNode}; set role ${service}_owner`, (error) =>
      done(error, connection),
    );
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
