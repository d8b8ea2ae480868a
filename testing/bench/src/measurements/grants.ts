import { randomUUID } from 'node:crypto';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import { runSyncTask } from '../load/tasks.ts';
import { median } from '../median.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';
import { untilIndexed } from '../system/until-indexed.ts';

const notes = 10_000;
/** Three of five notes, so that more of them match a frequent word than are ranked. */
const visible = 6_000;
const batch = 500;
const connections = 8;
/** Fifteen rates: more rounds would take minutes. */
const roundsMax = 3;
const pullRounds = 7;
/** The statements of a search are planned at its first calls. */
const warmUpSeconds = 0.3;

/** A caller of some notes may take 1.3 times as long as one without grants, and one granted all notes no longer. */
const bounds = { narrow: 0.77, full: 0.95 } as const;

const grantsOf = {
  narrow: [{ folder: 'part', scope: 'any' }],
  full: [{ folder: '', scope: 'any' }],
} as const;

type ReadKind = {
  readonly name: string;
  readonly path: string;
  readonly isLeftOutWhenQuick?: boolean;
};

const reads: readonly ReadKind[] = [
  { name: 'list of 50 notes', path: '/api/notes?limit=50' },
  {
    name: 'search for a word of a thousandth of the notes',
    path: '/api/notes?limit=20&q=needle',
    // Its cost is between the list and the next search.
    isLeftOutWhenQuick: true,
  },
  { name: 'search for a word of all notes', path: '/api/notes?limit=20&q=notebook' },
  {
    name: 'ranked search by a rare and frequent words',
    path: '/api/notes?limit=10&match=best&q=what%20does%20the%20notebook%20say%20of%20the%20needle',
  },
  {
    name: 'ranked search by frequent words',
    path: '/api/notes?limit=10&match=best&q=does%20the%20lazy%20fox%20write%20it%20down',
  },
];

/** Callers with grants beside one without, in a company of 10,000 notes, 6,000 of them in the granted folder. */
export const grants: Measurement = {
  name: 'grants',
  measure: async (bench) => {
    const company = await bench.environment.makeCompany('Granted');
    await fill(bench, company);
    const keys = {
      narrow: await makeKey(bench, company, grantsOf.narrow),
      full: await makeKey(bench, company, grantsOf.full),
    };
    const rows: Row[] = [];
    for (const { isLeftOutWhenQuick = false, ...read } of reads) {
      if (!(bench.profile.isQuick && isLeftOutWhenQuick)) {
        rows.push(...(await measureReads(bench, { ...read, keys, all: company.key })));
      }
    }
    return [...rows, ...(await measurePulls(bench, { keys, all: company.key }))];
  },
};

type Keys = Readonly<Record<keyof typeof grantsOf, string>>;
type Callers = { readonly keys: Keys; readonly all: string };

const fill = async ({ product }: Bench, company: CompanyWorld): Promise<void> => {
  const api = retryingApi({ baseUrl: product.url, headers: bearer(company.key) });
  for (let done = 0; done < notes; done += batch) {
    const changes = Array.from({ length: batch }, (_, index) => {
      const number = done + index;
      const note = noteOf(number % 1_000 < 2 ? `needle ${number}` : `note ${number}`);
      const folder = number % 5 < 3 ? 'part' : 'rest';
      return {
        mutationId: `${number}`,
        id: randomUUID(),
        op: 'put',
        baseRevision: null,
        note: { ...note, folder },
      };
    });
    await api('POST', '/api/sync', { body: { clientId: randomUUID(), cursor: null, changes } });
  }
  await untilIndexed(product.databaseUrl, company.companyId);
};

const makeKey = async (
  { product }: Bench,
  { companyId, agentId }: CompanyWorld,
  granted: (typeof grantsOf)[keyof typeof grantsOf],
): Promise<string> => {
  const board = retryingApi({ baseUrl: product.url, headers: { 'x-company-id': companyId } });
  const body = { name: granted[0].folder || 'all', grants: granted };
  const { body: made } = await board('POST', `/api/agents/${agentId}/keys`, { body });
  return (made as { readonly key: string }).key;
};

type Read = Callers & Pick<ReadKind, 'name' | 'path'>;

const measureReads = async (bench: Bench, { name, path, keys, all }: Read): Promise<Row[]> => {
  const { product, profile } = bench;
  const rateOf = (key: string, seconds: number) => async (): Promise<number> => {
    const requests = [{ method: 'GET', path, headers: bearer(key) } as const];
    return (await runLoad({ url: product.url, requests, connections, seconds })).perSecond;
  };
  const variantsOf = (seconds: number) => ({
    narrow: rateOf(keys.narrow, seconds),
    full: rateOf(keys.full, seconds),
    all: rateOf(all, seconds),
  });
  await interleave(1, variantsOf(warmUpSeconds));
  const figures = await interleave(
    Math.min(profile.rounds, roundsMax),
    variantsOf(profile.seconds),
  );
  return rowsOf(name, 'requests/s', figures);
};

/** In notes/s, because a narrow caller pulls fewer. */
const measurePulls = async (bench: Bench, { keys, all }: Callers): Promise<Row[]> => {
  const pull = (key: string, pulled: number) => () =>
    runSyncTask({
      what: 'pull',
      url: bench.product.url,
      headers: bearer(key),
      notes: pulled,
      batch,
    });
  const variants = {
    narrow: pull(keys.narrow, visible),
    full: pull(keys.full, notes),
    all: pull(all, notes),
  };
  await interleave(1, variants);
  const figures = await interleave(pullRounds, variants);
  return rowsOf('full pull in pages of 500', 'notes/s', figures);
};

type Figures = Readonly<Record<keyof typeof grantsOf | 'all', readonly number[]>>;

const rowsOf = (name: string, unit: string, figures: Figures): Row[] =>
  (['narrow', 'full'] as const).map((kind) => ({
    name: `${name}, by a key ${kind === 'narrow' ? 'of some of the notes' : 'granted all notes'}`,
    unit,
    ...compare(figures[kind], figures.all),
    target: { of: 'ratio', is: 'at least', bound: bounds[kind] },
    note: `the baseline is a key without grants, ${Math.round(median(figures.all))} ${unit}`,
  }));
