import { bearer, type CompanyWorld } from '@commonplace/e2e';
import type pg from 'pg';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { noteOf } from '../system/texts.ts';
import { retryingApi } from '../system/retrying-api.ts';

/** Common operations, whose latency must not grow with the data. */
export const operationNames = ['read', 'write', 'list', 'search', 'delta'] as const;

/**
 * Also what works on titles, links and versions, measured while the notes of a company grow. Links are read some time
 * after the writes, when these are in the catalog.
 */
export const noteOperationNames = [
  ...operationNames,
  'write with links',
  'by title',
  'activity',
  'links',
  'edit',
] as const;
export type OperationName = (typeof noteOperationNames)[number];

/** Mean latency of each measured operation for one client, in milliseconds. */
export type Latencies = Readonly<Partial<Record<OperationName, number>>>;

type Place = {
  readonly url: string;
  readonly client: pg.Client;
  readonly company: CompanyWorld;
  readonly seconds: number;
};

/** Measures operations in one company with one client. */
export const measureOperations = async (
  place: Place,
  names: readonly OperationName[] = operationNames,
): Promise<Latencies> => {
  const measured: Partial<Record<OperationName, number>> = {};
  for (const name of names) {
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
  return measured;
};

const requestsOf: Readonly<Record<OperationName, (place: Place) => Promise<LoadRequest[]>>> = {
  read: async (place) => (await someIds(place)).map((id) => get(place.company, `/api/notes/${id}`)),
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
  'write with links': async ({ company }) => [
    {
      method: 'PUT',
      path: '/api/notes/{{id}}',
      headers: json(company),
      body: JSON.stringify({ title: 'linking {{n}}', content: `${tenLinks} in {{n}}` }),
    },
  ],
  links: async (place) =>
    (await someIds(place)).map((id) => get(place.company, `/api/notes/${id}/links?limit=20`)),
  edit: async (place) =>
    (await someIds(place)).map((id) => ({
      method: 'PATCH',
      path: `/api/notes/${id}`,
      headers: json(place.company),
      body: JSON.stringify({ edits: [{ op: 'append', text: 'appended {{n}}\n' }] }),
    })),
  'by title': async ({ company }) =>
    Array.from({ length: 200 }, (_, index) =>
      get(company, `/api/notes/by-path?title=Note%20${index + 2}`),
    ),
  activity: async ({ company }) => [get(company, '/api/notes/activity?limit=50')],
};

/** Links to notes that a company of any size has. The first note of a company has another title. */
const tenLinks = Array.from({ length: 10 }, (_, index) => `[[Note ${index * 97 + 2}]]`).join(' ');

const someIds = async ({ client, company }: Place): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(someNotes, [company.companyId]);
  return rows.map(({ id }) => id);
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
