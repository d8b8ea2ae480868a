import knex from 'knex';
import type { Knex } from 'knex';
import { join } from 'node:path';
import pg from 'pg';
import { applyRoles, applyRolesInTransaction } from '../apply-roles.ts';
import { distributeCitusTables } from '../distribute-citus-tables.ts';
import { hasCitus } from '../has-citus.ts';
import type { MigrateOptions } from '../migrate-all.ts';
import { acquireMigrationLock } from '../migration-lock.ts';
import { runMigrations } from '../migrate-service.ts';
import { createMigrationSource, namesOfMigrations } from '../migration-source.ts';
import { repositoryServices } from '../repository-services.ts';
import { serviceNames } from '../service-names.ts';
import { assertNoConnections } from './assert-no-connections.ts';
import { commitForSure } from './commit-for-sure.ts';
import { listTables } from './list-tables.ts';
import { loadTables } from './load-tables.ts';
import { rememberRevisions } from './raise-revisions.ts';
import { rotateFeedEpochs } from './rotate-feed-epochs.ts';
import { emptyCatalogs, readTitleKey } from './title-key.ts';
import { verifyBackup } from './verify-backup.ts';
import type { BackupContent } from './verify-backup.ts';

export type RestoreOptions = MigrateOptions & {
  readonly path: string;
  /** Whether existing data may be replaced. */
  readonly isForced: boolean;
  /** Called when the new content is committed. */
  readonly onCommit?: () => void;
};

/**
 * Restores a backup: verifies the whole file first, refuses a database that is in use or holds data, and replaces
 * everything in one transaction. The transaction drops the old schemas, creates the schema of the backup, loads its
 * rows, rotates the epochs of the feeds, runs newer migrations, and empties catalogs whose titles another release of PostgreSQL
 * has folded. A restore that fails or is killed leaves the
 * database unchanged.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<BackupContent> => {
  const { adminUrl, passwords, path, isForced, log = () => undefined } = options;
  const content = await verifyBackup(path);
  log(`The backup of ${content.createdAt} is whole`);
  await assertKnown(options, content);
  const client = new pg.Client({ connectionString: adminUrl });
  // The next statement reports a broken connection; an error without a listener would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await acquireMigrationLock(client, 'alone', log);
    await assertNoConnections(client);
    const full = await tablesWithData(client);
    if (full.length > 0 && !isForced) {
      throw new Error(
        `The database holds data already (${full.join(', ')}). Back it up, then pass --force to replace it.`,
      );
    }
    await applyRoles(client, passwords);
    log(
      'Loading. Until this command says that the backup is restored, the database stays as it is',
    );
    await commitForSure(adminUrl, async (beforeCommit) =>
      inKnexTransaction(adminUrl, async (trx, connection) => {
        await replaceEverything(options, content, { trx, connection, observer: client });
        // Fails if this connection, and with it the lock, is lost.
        await client.query('select');
        await beforeCommit(connection);
      }),
    );
    options.onCommit?.();
    log('All tables are loaded; every sync epoch is new');
    await distributeCitusTables({ client, log });
    await client.query('analyze');
    return content;
  } finally {
    await client.end();
  }
};

/** knex and the plain client share one connection and its transaction. */
type Transaction = { readonly trx: Knex.Transaction; readonly connection: pg.Client };

type Replacement = Transaction & {
  /** A connection without a transaction. */
  readonly observer: pg.Client;
};

const replaceEverything = async (
  options: RestoreOptions,
  content: BackupContent,
  { trx, connection, observer }: Replacement,
): Promise<void> => {
  const isCitus = await hasCitus(connection);
  if (isCitus) {
    // Tables that were read over several connections to a node cannot be dropped.
    await connection.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  }
  await rememberRevisions(connection, { isCitus });
  await dropSchemas(connection, { isCitus });
  // From here on a service reads nothing before the restore has ended. One that came while we waited may have read.
  await assertNoConnections(observer);
  if (isCitus) {
    // The new tables are filled here and distributed after COMMIT.
    await connection.query('set local citus.enable_ddl_propagation = off');
  }
  await applyRolesInTransaction(connection, options.passwords);
  await migrateWithin(options, { trx, connection }, content.migrations);
  await loadTables(connection, options.path);
  await connection.query('reset role');
  await rotateFeedEpochs(connection);
  await migrateWithin(options, { trx, connection });
  if (content.titleKey !== (await readTitleKey(connection))) {
    await emptyCatalogs(connection);
    options.log?.(
      'Titles are compared otherwise here: services will list folders, tags and links again',
    );
  }
};

/** Runs all migrations, or only those of a backup, whose rows fit that schema. */
const migrateWithin = async (
  { servicesDir = repositoryServices, log = () => undefined }: RestoreOptions,
  { trx, connection }: Transaction,
  only?: Readonly<Record<string, readonly string[]>>,
): Promise<void> => {
  for (const service of serviceNames) {
    const source = await createMigrationSource(
      join(servicesDir, service, 'migrations'),
      only && (only[service] ?? []),
    );
    await connection.query(`set local role ${service}_owner`);
    const names = await runMigrations(
      { db: trx, inTransaction: (work) => work(trx), oneByOne: trx },
      { service, source },
    );
    await connection.query('reset role');
    if (!only) {
      names.forEach((name) => log(`Applied ${service}/${name}`));
    }
  }
};

/** Runs the work in one transaction that knex and the plain client share; all of it commits, or nothing. */
const inKnexTransaction = async (
  adminUrl: string,
  work: (trx: Knex.Transaction, connection: pg.Client) => Promise<void>,
): Promise<void> => {
  const pool = { min: 0, max: 1 };
  const db = knex({ client: 'pg', connection: adminUrl, pool, log: silent });
  try {
    await db.transaction(async (trx) => {
      const { acquireConnection } = trx.client as { acquireConnection: () => Promise<pg.Client> };
      await work(trx, await acquireConnection.call(trx.client));
    });
  } finally {
    await db.destroy();
  }
};

/** Errors are thrown. knex would also log advice about its lock, which does not apply here. */
const silent = Object.fromEntries(
  ['debug', 'deprecate', 'error', 'warn'].map((level) => [level, () => undefined]),
);

/** The backup of a newer release needs that release. */
const assertKnown = async (options: RestoreOptions, { migrations }: BackupContent) => {
  for (const service of serviceNames) {
    const known = await namesOfMigrations(service, options.servicesDir);
    const unknown = (migrations[service] ?? []).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new Error(
        `The backup was made by a newer release, which knows ${service}/${unknown}. Restore it with that one.`,
      );
    }
  }
};

/** A new database has one row, inserted by a migration, in auth.instance; all other tables are empty. */
const tablesWithData = async (client: pg.Client): Promise<string[]> => {
  const full: string[] = [];
  for (const { service, name } of await listTables(client)) {
    await client.query(`set role ${service}_owner`);
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount && name !== 'auth.instance') {
      full.push(name);
    }
  }
  await client.query('reset role');
  return full;
};

/** On Citus a superuser, because each role has connections of its own to the nodes. */
const dropSchemas = async (
  client: pg.Client,
  { isCitus }: { readonly isCitus: boolean },
): Promise<void> => {
  for (const service of serviceNames) {
    if (!isCitus) {
      await client.query(`set local role ${service}_owner`);
    }
    await client.query(`drop schema if exists ${service} cascade`);
    await client.query('reset role');
  }
};
