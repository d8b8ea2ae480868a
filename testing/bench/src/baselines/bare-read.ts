import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { asChild } from '../child.ts';

type Input = {
  readonly databaseUrl: string;
  readonly companyId: string;
  /** The row to read for every request, by the last segment of its path. */
  readonly what: 'note' | 'feed';
};

const statements = {
  note: { name: 'note', text: 'select * from notes.notes where company_id = $1 and id = $2' },
  feed: {
    name: 'feed',
    text: 'select * from notes.company_feed where company_id = $1 and $2::text is not null',
  },
} as const;

/** The baseline of a service: one read by key, sent as JSON, without identity, scope or checks. */
asChild(async ({ databaseUrl, companyId, what }: Input) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const server = createServer((req, res) => {
    req.resume();
    const id = req.url?.split('/').at(-1) ?? '';
    pool.query({ ...statements[what], values: [companyId, id] }).then(
      ({ rows }) => {
        const body = JSON.stringify(rows[0]);
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
