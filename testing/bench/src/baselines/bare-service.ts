import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { companyHeader } from '@commonplace/identity';
import pg from 'pg';
import { asChild } from '../child.ts';
import { noteOf } from '../system/texts.ts';
import { bareColumns, valuesOf } from './bare-tables.ts';

const count = {
  name: 'count',
  text: `insert into bench.feed as f (company_id, head) values ($1, 1)
    on conflict (company_id) do update set head = f.head + 1 returning f.head`,
};
const insert = {
  name: 'insert',
  text: `insert into bench.notes (${bareColumns.join(', ')})
    values (${bareColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
};
const page = {
  name: 'page',
  text: `select * from notes.notes where company_id = $1 and change_no > $2
    order by change_no limit $3`,
};

type Body = { readonly after?: number; readonly limit?: number };

/** One note with a number from a counter row, in a transaction. */
const write = async (pool: pg.Pool, companyId: string): Promise<unknown> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ head: string }>({ ...count, values: [companyId] });
    const changeNo = Number(rows[0]?.head);
    const note = { companyId, id: randomUUID(), changeNo, ...noteOf('bare') };
    await client.query({ ...insert, values: valuesOf(note) });
    await client.query('commit');
    return note;
  } finally {
    client.release();
  }
};

const read = async (pool: pg.Pool, companyId: string, body: Body): Promise<unknown> => {
  const { after = 0, limit = 1 } = body;
  return (await pool.query({ ...page, values: [companyId, after, limit] })).rows;
};

/**
 * The baseline of the notes service under many requests: PUT writes a note, POST reads a page of the product's
 * notes. As many connections to PostgreSQL; no identity, scope, checks, revisions, or history of mutations.
 */
asChild(async ({ databaseUrl }: { readonly databaseUrl: string }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  // See `inIndexOrder`.
  pool.on('connect', (client) => void client.query('set enable_sort = off'));
  const respond = async (req: IncomingMessage): Promise<unknown> => {
    const companyId = String(req.headers[companyHeader]);
    const body = JSON.parse(await text(req)) as Body;
    return req.method === 'PUT' ? write(pool, companyId) : read(pool, companyId, body);
  };
  const server = createServer((req, res) => {
    respond(req).then(
      (result) => {
        const body = JSON.stringify(result);
        res.setHeader('Content-Type', 'application/json; charset=utf-8');
        res.setHeader('Content-Length', Buffer.byteLength(body));
        res.end(body);
      },
      () => res.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});
