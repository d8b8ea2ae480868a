import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { withClient } from '../baselines/bare-tables.ts';
import { fillCompany, sizesOf } from '../growth/fill.ts';

import { runLoad } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import type { Product } from '../system/product.ts';
import { untilStatistics } from '../system/until-statistics.ts';

/** Searches by what they cost: a word of a thousandth of the notes, prefixes, a typo, and a word of all notes. */
const searches = [
  { name: 'a word', query: 'q=needle', msMax: 100 },
  { name: 'a prefix of one word', query: 'q=need&match=prefix', msMax: 100 },
  { name: 'a prefix of more words than are completed', query: 'q=wor&match=prefix', msMax: 100 },
  { name: 'a prefix of one letter', query: 'q=w&match=prefix', msMax: 100 },
  { name: 'a typo', query: 'q=neddle', msMax: 100 },
  { name: 'a word of all notes', query: 'q=note', msMax: 300 },
] as const;

/** Sentences by what they cost: rare words, rare and frequent ones, and frequent ones alone. */
const sentences = [
  { name: 'rare words', query: 'where is word17 or word4711 in the notes', filter: '' },
  {
    name: 'a rare and frequent words',
    query: 'what does the note say of the needle and word99',
    filter: '',
  },
  { name: 'frequent words', query: 'which note is of note', filter: '' },
  { name: 'a misspelled word', query: 'where is the neddle of word99', filter: '' },
  {
    name: 'words of notes since a time',
    query: 'where is the needle of word99',
    filter: '&updatedSince=2026-01-01T01:00:00.000Z',
  },
] as const;

const clients = 8;

type RankedTarget = {
  readonly notes: number;
  readonly of: keyof typeof percentiles;
  readonly msMax: number;
};

const percentiles = { p95Ms: 'p95', p99Ms: 'p99' } as const;

/** The latency of ranked searches by eight clients, in a company of so many notes. */
const measureRanked = async (
  bench: Bench,
  { key, companyId }: CompanyWorld,
  { notes, of, msMax }: RankedTarget,
): Promise<Row[]> => {
  const { product, profile } = bench;
  await untilStatistics(product.databaseUrl, companyId);
  const rows: Row[] = [];
  for (const { name, query, filter } of sentences) {
    const path = `/api/notes?limit=10&match=best${filter}&q=${encodeURIComponent(query)}`;
    const request = { method: 'GET', path, headers: bearer(key) } as const;
    const load = { url: product.url, requests: [request], connections: clients };
    await runLoad({ ...load, seconds: profile.seconds });
    const figures = await runLoad({ ...load, seconds: 2 * profile.seconds });
    rows.push({
      name: `ranked search for ${name} in ${notes} notes, ${clients} clients, ${percentiles[of]}`,
      unit: 'ms',
      value: figures[of],
      baseline: null,
      target: { of: 'value', is: 'at most', bound: msMax },
      note: `median ${figures.p50Ms} ms`,
    });
  }
  return rows;
};

/** The companies of ranked searches; without `notes`, the largest of `growth`. */
const ranked = {
  small: { notes: 10_000, of: 'p95Ms', msMax: 60 },
  large: { of: 'p99Ms', msMax: 150 },
} as const;

/** The first searches after a restart, the slowest of them. */
const measureCold = async (
  { url }: Pick<Product, 'url'>,
  { key }: CompanyWorld,
  notes: number,
): Promise<Row> => {
  const times: number[] = [];
  for (const { query, filter } of sentences) {
    const path = `/api/notes?limit=10&match=best${filter}&q=${encodeURIComponent(query)}`;
    const startedAt = performance.now();
    const response = await fetch(`${url}${path}`, { headers: bearer(key) });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    if (!response.ok) {
      throw new Error(`A search returned ${response.status}`);
    }
  }
  return {
    name: `first ranked searches after a restart in ${notes} notes, the slowest`,
    unit: 'ms',
    value: Math.max(...times),
    baseline: null,
    target: { of: 'value', is: 'at most', bound: 600 },
    note: `in order ${times.map((ms) => Math.round(ms)).join(', ')} ms`,
  };
};

/** The latency of searches by one client in the largest company of `growth`. */
export const searchLatency: Measurement = {
  name: 'search-latency',
  measure: async (bench) => {
    const { product, environment, profile } = bench;
    const company: CompanyWorld = await environment.makeCompany('Large');
    const notes = sizesOf(bench).notes.at(-1) ?? 0;
    await withClient(product.databaseUrl, async (client) => {
      await fillCompany(client, company.companyId, { to: notes });
      await client.query('vacuum analyze');
    });
    const small: CompanyWorld = await environment.makeCompany('Small');
    await withClient(product.databaseUrl, async (client) => {
      await fillCompany(client, small.companyId, { to: ranked.small.notes });
      await client.query('analyze notes.note_search');
    });
    bench.afterRestart(async (restarted) => [await measureCold(restarted, company, notes)]);
    const rows: Row[] = [
      ...(await measureRanked(bench, small, ranked.small)),
      ...(await measureRanked(bench, company, { notes, ...ranked.large })),
    ];
    for (const { name, query, msMax } of searches) {
      const path = `/api/notes?limit=20&${query}`;
      const request = { method: 'GET', path, headers: bearer(company.key) } as const;
      const load = { url: product.url, requests: [request], connections: 1 };
      await runLoad({ ...load, seconds: profile.seconds });
      const { p50Ms, p99Ms } = await runLoad({ ...load, seconds: 2 * profile.seconds });
      rows.push({
        name: `search for ${name} in ${notes} notes, p99`,
        unit: 'ms',
        value: p99Ms,
        baseline: null,
        target: { of: 'value', is: 'at most', bound: msMax },
        note: `median ${p50Ms} ms`,
      });
    }
    return rows;
  },
};
