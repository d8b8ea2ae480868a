import pg from 'pg';
import { migrateAll } from '../migrate-all.ts';
import type { MigrateOptions } from '../migrate-all.ts';
import { namesOfMigrations } from '../migration-source.ts';
import { serviceNames } from '../service-names.ts';
import { assertNobodyWorks } from './assert-nobody-works.ts';
import { inOneTransaction } from './in-one-transaction.ts';
import { listTables } from './list-tables.ts';
import { loadTables } from './load-tables.ts';
import { readHistory } from '../read-history.ts';
import { renewFeeds } from './renew-feeds.ts';
import { verifyBackup } from './verify-backup.ts';
import type { BackupContent } from './verify-backup.ts';

export type RestoreOptions = MigrateOptions & {
  readonly path: string;
  /** Whether what is in the database may be thrown away. */
  readonly isForced: boolean;
};

/**
 * Brings a backup back: reads the whole file first, refuses a database that is in use or holds data,
 * brings the schema to where the backup's was, loads all tables and makes the feeds new in one
 * transaction, and migrates to the newest.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<BackupContent> => {
  const { adminUrl, path, isForced, log = () => undefined } = options;
  const content = await verifyBackup(path);
  log(`The backup of ${content.createdAt} is whole`);
  await assertKnown(options, content);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await assertNobodyWorks(client);
    const isOther = await isAnotherSchema(client, content);
    const full = await tablesWithData(client);
    if (full.length > 0 && !isForced) {
      throw new Error(
        `The database holds data already (${full.join(', ')}). Back it up, then say --force to replace it.`,
      );
    }
    if (isOther) {
      await dropSchemas(client);
    }
    await migrateAll({ ...options, only: content.migrations });
    await inOneTransaction(client, async () => {
      await loadTables(client, path);
      await renewFeeds(client);
    });
    log('All tables are loaded; every sync epoch is new');
    await migrateAll(options);
    await client.query('analyze');
    return content;
  } finally {
    await client.end();
  }
};

/** A newer release's backup needs that release. */
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

/** Whether the database went through migrations that the backup's did not, so that it has to begin again. */
const isAnotherSchema = async (client: pg.Client, { migrations }: BackupContent) => {
  const history = await readHistory(client);
  return serviceNames.some((service) =>
    history[service].some((name) => !migrations[service]?.includes(name)),
  );
};

/** A fresh database holds one row, which the migrations put there, and nothing in any other table. */
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

const dropSchemas = async (client: pg.Client): Promise<void> => {
  for (const service of serviceNames) {
    await client.query(`set role ${service}_owner`);
    await client.query(`drop schema if exists ${service} cascade`);
    await client.query('reset role');
  }
};
