import { fileURLToPath } from 'node:url';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { companyHeader } from '@commonplace/identity';
import { makeBareTables } from '../baselines/bare-tables.ts';
import { compare, interleave } from '../interleave.ts';
import { runLoad, type LoadRequest } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { runServer } from '../run-child.ts';
import { syncCursorOf } from '../system/sync-cursor.ts';
import { creatingChange, noteOf } from '../system/texts.ts';

const connections = 32;
/** Sixteen rows of two variants, six when quick: more rounds would take minutes. */
const roundsMax = 2;
const secondsMin = 1;
const json = { 'content-type': 'application/json' } as const;
const serviceFile = fileURLToPath(import.meta.resolve('../baselines/bare-service.ts'));
const proxyFile = fileURLToPath(import.meta.resolve('../baselines/bare-proxy.ts'));

type Place = {
  readonly name: 'at the service' | 'through the gateway';
  readonly url: string;
  /** The bare service, or a bare proxy before it. */
  readonly bareUrl: string;
  readonly headers: (of: CompanyWorld) => Readonly<Record<string, string>>;
};
type Crowd = 'one company' | '32 companies';
type Unsigned = Omit<LoadRequest, 'headers'>;
type Kind = {
  readonly name: string;
  readonly request: (cursor: string) => Unsigned;
  readonly bare: Unsigned;
  /** Writes of one company share transactions, so they are compared with another bound. */
  readonly atLeast: Readonly<Record<Crowd, number>>;
};
type Combination = { readonly kind: Kind; readonly crowd: Crowd; readonly place: Place };
type Companies = ReadonlyMap<CompanyWorld, string>;

/**
 * Requests per second of every sync operation, at the service and through the gateway. The baseline does as much on
 * bare tables, behind a bare proxy.
 */
export const syncThroughput: Measurement = {
  name: 'throughput',
  measure: async (bench) => {
    const { product, environment } = bench;
    const made = await Promise.all(
      Array.from({ length: connections }, (_, index) => environment.makeCompany(`Busy ${index}`)),
    );
    const companies = new Map(
      await Promise.all(made.map(async (of) => [of, await syncCursorOf(product, of)] as const)),
    );
    await makeBareTables(product.databaseUrl);
    const input = { databaseUrl: product.databaseUrl };
    const service = await runServer({ file: serviceFile, input });
    const proxy = await runServer({ file: proxyFile, input: { target: service.url } });
    const places: readonly Place[] = [
      {
        name: 'at the service',
        url: product.services.notes.url,
        bareUrl: service.url,
        headers: environment.signedFor,
      },
      {
        name: 'through the gateway',
        url: product.url,
        bareUrl: proxy.url,
        headers: ({ key }) => bearer(key),
      },
    ];
    try {
      const rows: Row[] = [];
      for (const combination of combinationsOf(bench.profile, places)) {
        rows.push(await measureOne(bench, companies, combination));
      }
      return rows;
    } finally {
      proxy.stop();
      service.stop();
    }
  },
};

/** A quick run measures what clients get, and of pushes and PUTs, which cost alike, the pushes. */
const combinationsOf = (
  { isQuick }: Bench['profile'],
  places: readonly Place[],
): readonly Combination[] =>
  places
    .filter(({ name }) => !isQuick || name === 'through the gateway')
    .flatMap((place) =>
      (['one company', '32 companies'] as const).flatMap((crowd) =>
        kinds
          .filter(({ request }) => !isQuick || request('') !== put)
          .map((kind) => ({ kind, crowd, place })),
      ),
    );

const measureOne = async (
  { profile }: Bench,
  companies: Companies,
  { kind, crowd, place }: Combination,
): Promise<Row> => {
  const chosen = crowd === 'one company' ? [...companies].slice(0, 1) : [...companies];
  const seconds = Math.max(secondsMin, profile.seconds / 2);
  const rateOf = async (url: string, requests: readonly LoadRequest[]): Promise<number> =>
    (await runLoad({ url, requests, connections, seconds })).perSecond;
  const figures = await interleave(Math.min(profile.rounds, roundsMax), {
    // Identities are valid for ten seconds, so each round signs its own.
    ours: () =>
      rateOf(
        place.url,
        chosen.map(([of, cursor]) => ({
          ...kind.request(cursor),
          headers: { ...json, ...place.headers(of) },
        })),
      ),
    baseline: () =>
      rateOf(
        place.bareUrl,
        chosen.map(([{ companyId }]) => ({
          ...kind.bare,
          headers: { ...json, [companyHeader]: companyId },
        })),
      ),
  });
  return {
    name: `${kind.name}, ${crowd}, ${place.name}`,
    unit: 'requests/s',
    ...compare(figures.ours, figures.baseline),
    target: { of: 'ratio', is: 'at least', bound: kind.atLeast[crowd] },
  };
};

const sync = (body: object): Unsigned => ({
  method: 'POST',
  path: '/api/sync',
  body: JSON.stringify(body),
});

const put: Unsigned = {
  method: 'PUT',
  path: '/api/notes/{{id}}',
  body: JSON.stringify(noteOf('put {{n}}')),
};

const kinds: readonly Kind[] = [
  {
    name: 'sync, push of one note',
    request: (cursor) => sync({ clientId: 'bench', cursor, limit: 1, changes: [creatingChange] }),
    bare: put,
    atLeast: { 'one company': 1.2, '32 companies': 0.55 },
  },
  {
    name: 'sync, pull of 50 notes',
    request: () => sync({ limit: 50 }),
    bare: sync({ limit: 50 }),
    atLeast: { 'one company': 0.6, '32 companies': 0.7 },
  },
  {
    name: 'PUT of a note',
    request: () => put,
    bare: put,
    atLeast: { 'one company': 1.5, '32 companies': 0.55 },
  },
  {
    name: 'sync, delta of one note',
    request: (cursor) => sync({ cursor, limit: 1 }),
    bare: sync({ after: 1, limit: 1 }),
    atLeast: { 'one company': 0.5, '32 companies': 0.5 },
  },
];
