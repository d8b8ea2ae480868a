import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type pg from 'pg';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { noteOf } from '../system/texts.ts';
import { retryingApi } from '../system/retrying-api.ts';

/** Common operations, whose latency must not grow with the data. */
export const operationNames = ['read', 'write', 'list', 'search', 'delta'] as const;
export type OperationName = (typeof operationNames)[number];

/** Mean latency of each operation for one client, in milliseconds. */
export type Latencies = Readonly<Record<OperationName, number>>;

type Place = {
  readonly url: string;
  readonly client: pg.Client;
  readonly company: CompanyWorld;
  readonly seconds: number;
};

/** Measures every operation in one company with one client. */
export const measureOperations = async (place: Place): Promise<Latencies> => {
  const measured: Partial<Record<OperationName, number>> = {};
  for (const name of operationNames) {
    const requests = await requestsOf[name](place);
    const load = {
      url: place.url,
      requests,
      connections: 1,
      isCycled: true,
      seconds: place.seconds,
    };
    measured[name] = 1_000 / (await runLoad(load)).perSecond;
  }
  return measured as Latencies;
};

const requestsOf: Readonly<Record<OperationName, (place: Place) => Promise<LoadRequest[]>>> = {
  read: async ({ client, company }) => {
    const { rows } = await client.query<{ id: string }>(someNotes, [company.companyId]);
    return rows.map(({ id }) => get(company, `/api/notes/${id}`));
  },
  write: async ({ company }) => [
    {
      method: 'PUT',
      path: '/api/notes/{{id}}',
      headers: json(company),
      body: JSON.stringify(noteOf('grown {{n}}')),
    },
  ],
  list: async ({ company }) => [get(company, '/api/notes?limit=50')],
  search: async ({ company }) => [get(company, '/api/notes?limit=20&q=needle')],
  delta: async ({ url, company }) => {
    const head = await cursorAtHead(url, company);
    const body = JSON.stringify({ cursor: head, limit: 100 });
    return [{ method: 'POST', path: '/api/sync', headers: json(company), body }];
  },
};

const json = ({ key }: CompanyWorld) => ({ ...bearer(key), 'content-type': 'application/json' });

const get = ({ key }: CompanyWorld, path: string): LoadRequest => ({
  method: 'GET',
  path,
  headers: bearer(key),
});

/** 200 ids, spread over the company's changes. */
const someNotes = `
  select n.id from generate_series(1, 200) s
  cross join lateral (
    select n.id from notes.notes n
    where n.company_id = $1 and n.deleted_at is null
      and n.change_no >= (select f.head from notes.company_feed f where f.company_id = $1) * s / 201
    order by n.change_no limit 1
  ) n`;

/** The cursor of a client that is up to date, without a full pull. */
const cursorAtHead = async (url: string, { key, companyId }: CompanyWorld): Promise<string> => {
  const api = retryingApi({ baseUrl: url, headers: bearer(key) });
  const first = (await api('POST', '/api/sync', { body: { limit: 1 } })).body as { cursor: string };
  const { snapshotHead, ...cursor } = JSON.parse(
    Buffer.from(first.cursor, 'base64url').toString(),
  ) as { snapshotHead?: number; changeNo: number; company: string };
  if (cursor.company !== companyId) {
    throw new Error('The cursor belongs to another company');
  }
  const changeNo = snapshotHead ?? cursor.changeNo;
  return Buffer.from(JSON.stringify({ ...cursor, changeNo })).toString('base64url');
};
