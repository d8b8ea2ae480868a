import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { asChild } from '../child.ts';
import { noteOf } from '../system/note-of.ts';
import { bareColumns, valuesOf, withClient } from './bare-tables.ts';

type Input = {
  readonly databaseUrl: string;
  readonly what: 'insert' | 'select';
  /** Whose notes are read; what is inserted belongs to a company of its own. */
  readonly companyId: string;
  readonly notes: number;
  readonly batch: number;
};

const tuple = (row: number): string =>
  `(${bareColumns.map((_, index) => `$${row * bareColumns.length + index + 1}`).join(', ')})`;

/** Inserts `notes` rows, so many in a statement; gives milliseconds. */
const insertAll = async (client: pg.Client, { notes, batch }: Input): Promise<number> => {
  const companyId = randomUUID();
  const text = `insert into bench.notes (${bareColumns.join(', ')})
    values ${Array.from({ length: batch }, (_, row) => tuple(row)).join(', ')}`;
  const startedAt = performance.now();
  for (let done = 0; done < notes; done += batch) {
    const values = Array.from({ length: batch }, (_, row) => {
      const { title, content } = noteOf(`bulk ${done + row}`);
      return valuesOf({ companyId, id: randomUUID(), changeNo: done + row, title, content });
    });
    await client.query({ name: 'bulk', text, values: values.flat() });
  }
  return performance.now() - startedAt;
};

/**
 * Reads the notes of a company page by page, along the index and not sorted, as one would who knows what the
 * planner does not (see `readInIndexOrder`); gives milliseconds.
 */
const selectAll = async (
  client: pg.Client,
  { companyId, notes, batch }: Input,
): Promise<number> => {
  await client.query('set enable_sort = off');
  const text = `select * from notes.notes where company_id = $1 and change_no > $2
    order by change_no limit ${batch}`;
  const startedAt = performance.now();
  let after = 0;
  for (let read = 0; read < notes; read += batch) {
    const page = await client.query<{ change_no: string }>({
      name: 'page',
      text,
      values: [companyId, after],
    });
    after = Number(page.rows.at(-1)?.change_no);
  }
  return performance.now() - startedAt;
};

/** Rows a second, in bulk and over one connection: what the driver and PostgreSQL give at best. */
asChild(async (input: Input) => {
  const ms = await withClient(input.databaseUrl, (client) =>
    input.what === 'insert' ? insertAll(client, input) : selectAll(client, input),
  );
  return (input.notes / ms) * 1000;
});
