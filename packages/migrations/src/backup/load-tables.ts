import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopyStreamQuery } from 'pg-copy-streams';
import { archiveTable, frameKinds } from './archive-format.ts';
import { listTables } from './list-tables.ts';
import { readFrames } from './read-frames.ts';

/** A table that is being filled. */
type Filling = { readonly rows: CopyStreamQuery; readonly filled: Promise<void> };

/** Replaces the rows of all tables by those of a backup, in a transaction of the caller. */
export const loadTables = async (client: Client, path: string): Promise<void> => {
  await emptyTables(client);
  let filling: Filling | undefined;
  for await (const { kind, content } of readFrames(path)) {
    if (kind === frameKinds.table) {
      filling = await beginTable(client, content);
    } else if (kind === frameKinds.data && filling) {
      await writeRows(filling, content);
    } else if (kind === frameKinds.tableEnd && filling) {
      filling.rows.end();
      await filling.filled;
    }
  }
};

/** Some migrations insert rows; those of the backup replace them. */
const emptyTables = async (client: Client): Promise<void> => {
  const names = Object.groupBy(await listTables(client), ({ service }) => service);
  for (const [service, tables = []] of Object.entries(names)) {
    await client.query(`set local role ${service}_owner`);
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  }
};

const beginTable = async (client: Client, content: Buffer): Promise<Filling> => {
  const wanted = archiveTable.parse(JSON.parse(content.toString()));
  await client.query('reset role');
  // Names become part of statements, so only those of our own tables are accepted.
  const table = (await listTables(client)).find(({ name }) => name === wanted.name);
  const unknown = wanted.columns.find((column) => !table?.columns.includes(column));
  if (!table || unknown !== undefined) {
    throw new Error(
      `There is no ${wanted.name}${unknown === undefined ? '' : `.${unknown}`} here.`,
    );
  }
  await client.query(`set local role ${table.service}_owner`);
  const rows = client.query(
    copyFrom(`copy ${table.name} (${wanted.columns.join(', ')}) from stdin`),
  );
  const filled = finished(rows);
  filled.catch(() => undefined);
  return { rows, filled };
};

const writeRows = async ({ rows, filled }: Filling, content: Buffer): Promise<void> => {
  if (!rows.write(content)) {
    await Promise.race([once(rows, 'drain'), filled]);
  }
};
