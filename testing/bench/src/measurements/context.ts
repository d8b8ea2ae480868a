import { bearer } from '@commonplace/e2e';
import { withClient } from '../baselines/bare-tables.ts';
import { fillCompany, headChangeOf } from '../growth/fill.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { median } from '../median.ts';
import type { Measurement } from '../measurement.ts';
import { linkedCompany, linkedTitle, linking } from '../system/linked-company.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';
import { untilStatistics } from '../system/until-statistics.ts';

const connections = 8;
/** Of some 80 contexts a second, enough for the slowest hundredth. */
const secondsMin = 2;
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
  measure: async (bench) => {
    const { product, profile } = bench;
    const company = await linkedCompany(bench);
    const headers = { ...bearer(company.key), 'content-type': 'application/json' };
    const api = retryingApi({ baseUrl: product.url, headers });
    for (let index = 0; index < pinned; index += 1) {
      const body = { ...noteOf(`Rule ${index}`), pinned: true };
      await api('POST', '/api/notes', { body });
    }
    const cursorOf = async () =>
      ((await api('POST', '/api/context', { body: {} })).body as { cursor: string }).cursor;
    const since = await withClient(product.databaseUrl, async (client) => {
      const before = await cursorOf();
      const to = (await headChangeOf(client, company.companyId)) + changed;
      await fillCompany(client, company.companyId, { to, links: { title: linkedTitle } });
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
        seconds: Math.max(secondsMin, profile.seconds),
      });
    await run();
    const p99sMs: number[] = [];
    for (let round = 0; round < profile.rounds; round += 1) {
      p99sMs.push((await run()).p99Ms);
    }
    return [
      {
        name: `context of 32 KiB in a company of ${linking} notes, 8 clients, p99`,
        unit: 'ms',
        value: median(p99sMs),
        baseline: null,
        target: { of: 'value', is: 'at most', bound: 120 },
      },
    ];
  },
};
