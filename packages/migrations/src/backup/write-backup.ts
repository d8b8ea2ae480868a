import type { Writable } from 'node:stream';
import type pg from 'pg';
import { connectAdmin } from '../connect-admin.ts';
import { to as copyTo } from 'pg-copy-streams';
import { acquireMigrationLock } from '../migration-lock.ts';
import { frameKinds } from './archive-format.ts';
import type { ArchiveTable } from './archive-format.ts';
import { hasTable } from './has-table.ts';
import { listTables } from './list-tables.ts';
import { readHistory } from '../read-history.ts';
import { serviceNames } from '../service-names.ts';
import { hasCitus } from '../has-citus.ts';
import { readEachNodeOnce, snapshots, whileNothingIsWritten } from './citus-snapshot.ts';
import { readTitleKey } from './title-key.ts';
import { writeFrames } from './write-frames.ts';
import type { FrameWriter } from './write-frames.ts';

/** Rows by table. */
export type BackupSummary = Readonly<Record<string, number>>;

/**
 * Writes a consistent snapshot of all data while the services run: one transaction reads all tables and sees
 * nothing that is committed after it began. No migration runs at the same time; `log` gets one line if it waits for one.
 */
export const writeBackup = async (
  adminUrl: string,
  destination: Writable,
  log?: (line: string) => void,
): Promise<BackupSummary> => {
  const client = await connectAdmin(adminUrl);
  try {
    await acquireMigrationLock(client, 'shared', log);
    await beginSnapshot(client, adminUrl);
    const migrations = await readHistory(client);
    if (serviceNames.some((service) => migrations[service].length === 0)) {
      throw new Error(`there is no Commonplace in the database "${client.database ?? ''}"`);
    }
    const frames = writeFrames(destination);
    await frames.json(frameKinds.header, {
      format: 'commonplace-backup',
      version: 1,
      createdAt: new Date().toISOString(),
      serverVersion: await serverVersion(client),
      migrations,
      titleKey: await readTitleKey(client),
    });
    const summary = await writeTables(client, frames);
    await frames.json(frameKinds.end, {
      tables: Object.keys(summary).length,
      rows: Object.values(summary).reduce((sum, rows) => sum + rows, 0),
    });
    await frames.end();
    return summary;
  } finally {
    await client.end();
  }
};

const beginSnapshot = async (client: pg.Client, adminUrl: string): Promise<void> => {
  // Before the first migration of a cluster nothing is distributed.
  const isCitus = (await hasCitus(client)) && (await hasTable(client, 'notes.company_feed'));
  const begin = () => client.query('begin transaction isolation level repeatable read, read only');
  if (!isCitus) {
    await begin();
    return;
  }
  await whileNothingIsWritten(adminUrl, async () => {
    await begin();
    await client.query(readEachNodeOnce);
    for (const { role, statement } of snapshots) {
      await client.query(`set local role ${role}`);
      await client.query(statement);
    }
    await client.query('reset role');
  });
};

const writeTables = async (client: pg.Client, frames: FrameWriter): Promise<BackupSummary> => {
  const summary: Record<string, number> = {};
  for (const table of await listTables(client)) {
    await frames.json(frameKinds.table, table);
    const rows = await writeTable(client, table, frames);
    await frames.json(frameKinds.tableEnd, { rows });
    summary[table.name] = rows;
  }
  return summary;
};

/**
 * The rows that a backup has, of tables of which it has not all. Codes and tokens of the OAuth server are left out: restored,
 * one that was used since would be good again.
 */
const keptRows: Readonly<Record<string, string>> = {
  'auth.oauth_records': "kind in ('Client', 'Grant')",
};

const writeTable = async (
  client: pg.Client,
  { service, name, columns }: ArchiveTable,
  frames: FrameWriter,
): Promise<number> => {
  // The owner is not bound by row-level security; an administrator who is not a superuser would be.
  await client.query(`set local role ${service}_owner`);
  const listed = columns.join(', ');
  const kept = keptRows[name];
  const source = kept ? `(select ${listed} from ${name} where ${kept})` : `${name} (${listed})`;
  const rows = client.query(copyTo(`copy ${source} to stdout`));
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    await frames.data(frameKinds.data, chunk);
  }
  return rows.rowCount;
};

const serverVersion = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  return rows[0]?.version ?? '';
};
