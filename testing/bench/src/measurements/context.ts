import { bearer } from '@commonplace/e2e';
import { withClient } from '../baselines/bare-tables.ts';
import { fillCompany } from '../growth/fill.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { median } from '../median.ts';
import type { Measurement } from '../measurement.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';
import { untilStatistics } from '../system/until-statistics.ts';

const notes = 100_000;
const connections = 8;
const pinned = 10;
const changed = 50;

/** Queries with rare words, and with words of all notes beside them. */
const queries = ['needle', 'a note of word17', 'find the needle of word42 or the missing note'];

/**
 * Contexts of 32 KiB for eight clients of one company, with pinned notes, matches, and changes of another author
 * since the cursor.
 */
export const context: Measurement = {
  name: 'context',
  measure: async ({ product, environment, profile }) => {
    const company = await environment.makeCompany('Context');
    const headers = { ...bearer(company.key), 'content-type': 'application/json' };
    const api = retryingApi({ baseUrl: product.url, headers });
    for (let index = 0; index < pinned; index += 1) {
      const body = { ...noteOf(`Rule ${index}`), pinned: true };
      await api('POST', '/api/notes', { body });
    }
    const cursorOf = async () =>
      ((await api('POST', '/api/context', { body: {} })).body as { cursor: string }).cursor;
    const since = await withClient(product.databaseUrl, async (client) => {
      await fillCompany(client, company.companyId, { to: notes - changed, links: { each: 1 } });
      const before = await cursorOf();
      await fillCompany(client, company.companyId, { to: notes, links: { each: 1 } });
      await client.query('vacuum analyze');
      return before;
    });
    await untilStatistics(product.databaseUrl, company.companyId);
    const requests: LoadRequest[] = queries.map((query) => ({
      method: 'POST',
      path: '/api/context',
      headers,
      body: JSON.stringify({ query, since }),
    }));
    const run = () =>
      runLoad({
        url: product.url,
        requests,
        connections,
        isCycled: true,
        seconds: profile.seconds,
      });
    await run();
    const p99sMs: number[] = [];
    for (let round = 0; round < profile.rounds; round += 1) {
      p99sMs.push((await run()).p99Ms);
    }
    return [
      {
        name: `context of 32 KiB in a company of ${notes} notes, 8 clients, p99`,
        unit: 'ms',
        value: median(p99sMs),
        baseline: null,
        target: { of: 'value', is: 'at most', bound: 120 },
      },
    ];
  },
};
