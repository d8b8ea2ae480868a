import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { chmod, mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type pg from 'pg';
import { withClient } from '../baselines/bare-tables.ts';
import { fillCompany } from '../growth/fill.ts';
import { runLoad } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { createEnvironment } from '../system/environment.ts';
import { removeProduct, startProduct } from '../system/product.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { untilRow } from '../system/until-row.ts';

/** The vectors of a company of which searches look at all: 512 dimensions, four vectors a note. */
const made = { notes: 24_990, vectorsEach: 4, dimensions: 512 } as const;
/** Words that no note has, so that words alone find nothing. */
const query = 'vessel voyage cargo';
const preparedSecondsMax = 60;

/** The time of a search that compares the query with 100,000 synthetic vectors of a company. */
export const searchMeaning: Measurement = {
  name: 'search-meaning',
  measure: async (bench) => {
    const service = await startVectors();
    const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
    await chmod(dataDir, 0o711);
    try {
      const product = await startProduct(dataDir, {
        EMBEDDINGS_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1/embeddings`,
        EMBEDDINGS_MODEL: 'synthetic',
        EMBEDDINGS_DIMENSIONS: String(made.dimensions),
      });
      try {
        const { company } = await createEnvironment(product);
        const board = retryingApi({ baseUrl: product.url });
        const settings = `/api/companies/${company.companyId}/search-settings`;
        await board('PUT', settings, { body: { embeddings: true } });
        await withClient(product.databaseUrl, (client) => addVectors(client, company.companyId));
        return await measureSearches(bench, product.url, company);
      } finally {
        await product.stop();
      }
    } finally {
      service.close();
      await removeProduct(dataDir);
    }
  },
};

const measureSearches = async (
  { profile }: Bench,
  url: string,
  { key }: CompanyWorld,
): Promise<Row[]> => {
  const path = `/api/notes?limit=10&match=best&q=${encodeURIComponent(query)}`;
  const api = retryingApi({ baseUrl: url, headers: bearer(key) });
  const { body } = await api('GET', path);
  const { ranking } = body as { readonly ranking?: string };
  if (ranking !== 'hybrid') {
    throw new Error(`The search was ranked ${String(ranking)}`);
  }
  const request = { method: 'GET', path, headers: bearer(key) } as const;
  const rows: Row[] = [];
  for (const connections of [1, 8]) {
    const load = { url, requests: [request], connections };
    await runLoad({ ...load, seconds: profile.seconds });
    const { p50Ms, p99Ms } = await runLoad({ ...load, seconds: 2 * profile.seconds });
    rows.push({
      name: `search by meaning over 100,000 vectors, ${connections} clients, p99`,
      unit: 'ms',
      value: p99Ms,
      baseline: null,
      target: null,
      note: `median ${p50Ms} ms`,
    });
  }
  return rows;
};

/** A service that embeds every text with the same vector. */
const startVectors = async (): Promise<Server> => {
  const embedding = Array.from({ length: made.dimensions }, (_, index) => Math.sin(index));
  const server = createServer((req, res) => {
    void json(req).then((body) => {
      const { input } = body as { readonly input: readonly string[] };
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding })) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

/** Adds notes with vectors by SQL, once the product has embedded the first ones, while it is kept from the others. */
const addVectors = async (client: pg.Client, companyId: string): Promise<void> => {
  await untilRow(client, {
    statement: isPrepared,
    companyId,
    secondsMax: preparedSecondsMax,
    failure: 'The first notes were not embedded',
  });
  await client.query(keepLease, [companyId]);
  await fillCompany(client, companyId, { to: made.notes });
  await client.query(insertEmbeddings, [
    companyId,
    (made.vectorsEach * made.dimensions) / bytesOfDigest,
  ]);
  await client.query(insertSigns, [companyId, made.vectorsEach]);
  await client.query(endProgress, [companyId]);
  await client.query('vacuum analyze');
};

const bytesOfDigest = 16;

const isPrepared = `
  select from notes.embedding_progress p
  join notes.company_feed f on f.company_id = p.company_id
  where p.company_id = $1 and p.change_no = f.head`;

const keepLease = `
  update notes.embedding_progress set leased_until = now() + interval '1 day' where company_id = $1`;

const insertEmbeddings = `
  insert into notes.note_embeddings (company_id, note_id, profile, text_hash, skipped, vectors)
  select n.company_id, n.id, p.profile, '', 0, (
    select decode(string_agg(md5(n.id::text || i), ''), 'hex') from generate_series(1, $2::integer) i)
  from notes.notes n
  join notes.embedding_progress p on p.company_id = n.company_id
  where n.company_id = $1
  on conflict (company_id, note_id) do nothing`;

const insertSigns = `
  insert into notes.embedding_signs (company_id, note_id, place, signs)
  select e.company_id, e.note_id, i, (
    select ('x' || string_agg(md5(e.note_id::text || i || part), ''))::bit(512)::varbit
    from generate_series(1, 4) part)
  from notes.note_embeddings e
  cross join generate_series(0, $2::integer - 1) i
  where e.company_id = $1
  on conflict (company_id, note_id, place) do nothing`;

const endProgress = `
  update notes.embedding_progress p set change_no = f.head, deleted_no = f.head
  from notes.company_feed f where p.company_id = $1 and f.company_id = $1`;
