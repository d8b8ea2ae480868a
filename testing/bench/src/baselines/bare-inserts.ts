import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { asChild } from '../child.ts';
import { noteOf } from '../system/texts.ts';
import { bareColumns, valuesOf, withClient, type BareNote } from './bare-tables.ts';

type Input = {
  readonly databaseUrl: string;
  /** One row per note, or all four that a push writes. */
  readonly rows: 'note' | 'all';
  readonly notes: number;
  readonly batch: number;
};

type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly valuesOf: (note: BareNote) => unknown[];
};

const clientId = randomUUID();

const notesTable: Table = { name: 'notes', columns: bareColumns, valuesOf };

/** The other rows that a push writes per note: its version, its mutation and the owner of its id. */
const otherTables: readonly Table[] = [
  {
    name: 'note_revisions',
    columns:
      `company_id note_id revision title content folder tags pinned archived properties size deleted
      created_at created_by_kind created_by_id`.split(/\s+/),
    valuesOf: ({ companyId, id, title, content }) => {
      const fields = [title, content, '', [], false, false, '{}', Buffer.byteLength(content)];
      return [companyId, id, 1, ...fields, false, new Date(), 'agent', companyId];
    },
  },
  {
    name: 'mutations',
    columns: `company_id caller client_id mutation_id request_hash note_id status revision
      created_at`.split(/\s+/),
    valuesOf: ({ companyId, id, changeNo }) => {
      const key = [companyId, `agent:${companyId}`, clientId, String(changeNo)];
      return [...key, Buffer.alloc(32), id, 'applied', 1, new Date()];
    },
  },
  {
    name: 'note_owner',
    columns: ['company_id', 'id'],
    valuesOf: ({ companyId, id }) => [companyId, id],
  },
];

const insertOf = ({ name, columns }: Table, rows: number): string => {
  const tuple = (row: number): string =>
    `(${columns.map((_, index) => `$${row * columns.length + index + 1}`).join(', ')})`;
  return `insert into bench.${name} (${columns.join(', ')})
    values ${Array.from({ length: rows }, (_, row) => tuple(row)).join(', ')}`;
};

/** Inserts `notes` notes over one connection, one transaction per batch; returns milliseconds. */
const insertAll = async (client: pg.Client, { rows, notes, batch }: Input): Promise<number> => {
  const tables = rows === 'note' ? [notesTable] : [notesTable, ...otherTables];
  const inserts = tables.map((table) => ({ ...table, text: insertOf(table, batch) }));
  const companyId = randomUUID();
  const startedAt = performance.now();
  for (let done = 0; done < notes; done += batch) {
    const batchOfNotes = Array.from({ length: batch }, (_, row) => {
      const { title, content } = noteOf(`bulk ${done + row}`);
      return { companyId, id: randomUUID(), changeNo: done + row, title, content };
    });
    if (tables.length > 1) {
      await client.query('begin');
    }
    for (const { name, text, valuesOf: valuesIn } of inserts) {
      await client.query({ name, text, values: batchOfNotes.flatMap(valuesIn) });
    }
    if (tables.length > 1) {
      await client.query('commit');
    }
  }
  return performance.now() - startedAt;
};

/** Notes per second of multi-row inserts into tables with only a primary key. */
asChild(async (input: Input) => {
  const ms = await withClient(input.databaseUrl, (client) => insertAll(client, input));
  return (input.notes / ms) * 1000;
});
