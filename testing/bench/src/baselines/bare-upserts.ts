import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { asChild } from '../child.ts';
import { noteOf } from '../system/texts.ts';
import { bareColumns, valuesOf } from './bare-tables.ts';

type Input = {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly seconds: number;
};

const insert = {
  name: 'upsert',
  text: `insert into bench.notes (${bareColumns.join(', ')})
    values (${bareColumns.map((_, index) => `$${index + 1}`).join(', ')})
    on conflict (company_id, id) do update set revision = bench.notes.revision + 1,
      change_no = excluded.change_no, content = excluded.content, updated_at = excluded.updated_at`,
};
const count = {
  name: 'count',
  text: `insert into bench.feed as f (company_id, head) values ($1, 1)
    on conflict (company_id) do update set head = f.head + 1 returning f.head`,
};

/** The baseline of a write: single upserts into one company, each with a number from a counter row. */
asChild(async ({ databaseUrl, connections, seconds }: Input) => {
  const companyId = randomUUID();
  const until = performance.now() + seconds * 1000;
  const writeOn = async (client: pg.Client): Promise<number> => {
    let done = 0;
    for (; performance.now() < until; done += 1) {
      const { title, content } = noteOf(`upsert ${done}`);
      await client.query('begin');
      const { rows } = await client.query<{ head: string }>({ ...count, values: [companyId] });
      const changeNo = Number(rows[0]?.head);
      const note = { companyId, id: randomUUID(), changeNo, title, content };
      await client.query({ ...insert, values: valuesOf(note) });
      await client.query('commit');
    }
    return done;
  };
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: databaseUrl }),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const startedAt = performance.now();
  const done = await Promise.all(clients.map(writeOn));
  const elapsedMs = performance.now() - startedAt;
  await Promise.all(clients.map((client) => client.end()));
  return (done.reduce((sum, one) => sum + one, 0) / elapsedMs) * 1000;
});
