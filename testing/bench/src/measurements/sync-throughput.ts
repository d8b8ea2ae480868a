import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { noteOf } from '../system/texts.ts';
import { retryingApi } from '../system/retrying-api.ts';

const connections = 32;
const json = { 'content-type': 'application/json' } as const;

type Place = {
  readonly name: string;
  readonly url: string;
  readonly headers: (of: CompanyWorld) => Readonly<Record<string, string>>;
};
type Kind = {
  readonly name: string;
  readonly request: (cursor: string) => Omit<LoadRequest, 'headers'>;
};

/** Requests per second of every sync operation, at the service and through the gateway. */
export const syncThroughput: Measurement = {
  name: 'throughput',
  measure: async (bench) => {
    const { product, environment } = bench;
    const companies = await Promise.all(
      Array.from({ length: connections }, (_, index) => environment.makeCompany(`Busy ${index}`)),
    );
    const cursors = new Map(
      await Promise.all(companies.map(async (of) => [of, await cursorOf(bench, of)] as const)),
    );
    const places: readonly Place[] = [
      {
        name: 'at the service',
        url: product.services['notes']?.url ?? '',
        headers: environment.signedFor,
      },
      { name: 'through the gateway', url: product.url, headers: ({ key }) => bearer(key) },
    ];
    const rows: Row[] = [];
    for (const place of places) {
      for (const [crowd, chosen] of [
        ['one company', companies.slice(0, 1)],
        ['32 companies', companies],
      ] as const) {
        for (const kind of kinds) {
          const requests = chosen.map((of) => ({
            ...kind.request(cursors.get(of) ?? ''),
            headers: { ...json, ...place.headers(of) },
          }));
          const seconds = bench.profile.seconds / 2;
          const { perSecond } = await runLoad({ url: place.url, requests, connections, seconds });
          const name = `${kind.name}, ${crowd}, ${place.name}`;
          rows.push({ name, unit: 'requests/s', value: perSecond, baseline: null, target: null });
        }
      }
    }
    return rows;
  },
};

const sync = (body: object): Omit<LoadRequest, 'headers'> => ({
  method: 'POST',
  path: '/api/sync',
  body: JSON.stringify(body),
});

const change = {
  mutationId: '{{id}}',
  id: '{{id}}',
  op: 'put',
  baseRevision: null,
  note: noteOf('pushed {{n}}'),
};

const kinds: readonly Kind[] = [
  {
    name: 'sync, push of one note',
    request: (cursor) => sync({ clientId: 'bench', cursor, limit: 1, changes: [change] }),
  },
  { name: 'sync, pull of 50 notes', request: () => sync({ limit: 50 }) },
  {
    name: 'PUT of a note',
    request: () => ({
      method: 'PUT',
      path: '/api/notes/{{id}}',
      body: JSON.stringify(noteOf('put {{n}}')),
    }),
  },
  { name: 'sync, delta of one note', request: (cursor) => sync({ cursor, limit: 1 }) },
];

const cursorOf = async ({ product }: Bench, { key }: CompanyWorld): Promise<string> => {
  const byKey = retryingApi({ baseUrl: product.url, headers: bearer(key) });
  const { body } = await byKey('POST', '/api/sync', { body: {} });
  return (body as { cursor: string }).cursor;
};
