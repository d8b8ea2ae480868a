import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { withClient } from '../baselines/bare-tables.ts';
import { fillCompany, sizesOf } from '../growth/fill.ts';

import { runLoad } from '../load/run-load.ts';
import type { Measurement, Row } from '../measurement.ts';

/** Searches by what they cost: a word of a thousandth of the notes, prefixes, a typo, and a word of all notes. */
const searches = [
  { name: 'a word', query: 'q=needle', msMax: 100 },
  { name: 'a prefix of one word', query: 'q=need&match=prefix', msMax: 100 },
  { name: 'a prefix of more words than are completed', query: 'q=wor&match=prefix', msMax: 100 },
  { name: 'a prefix of one letter', query: 'q=w&match=prefix', msMax: 100 },
  { name: 'a typo', query: 'q=neddle', msMax: 100 },
  { name: 'a word of all notes', query: 'q=note', msMax: 300 },
] as const;

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
    const rows: Row[] = [];
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
