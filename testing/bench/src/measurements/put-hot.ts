import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { makeBareTables } from '../limits/bare-tables.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { runTask } from '../run-child.ts';
import { noteOf } from '../system/note-of.ts';

const connections = 32;
const bareUpserts = fileURLToPath(import.meta.resolve('../limits/bare-upserts.ts'));

/** Writes into one company by many at once, beside plain upserts with a counter row. */
export const putHot: Measurement = {
  name: 'put',
  measure: async ({ product, world, effort }) => {
    const { databaseUrl } = product;
    const company = await world.makeCompany('Hot');
    await makeBareTables(databaseUrl);
    const request = {
      method: 'PUT',
      path: '/api/notes/{{id}}',
      headers: { ...bearer(company.key), 'content-type': 'application/json' },
      body: JSON.stringify(noteOf('put {{n}}')),
    } as const;
    const { seconds, rounds } = effort;
    const ways = {
      ours: async () => {
        const load = { url: product.url, requests: [request], connections, seconds };
        return (await runLoad(load)).perSecond;
      },
      limit: () =>
        runTask<number>({ file: bareUpserts, input: { databaseUrl, connections, seconds } }),
    };
    await interleave(effort.warmUpRounds, ways);
    const figures = await interleave(rounds, ways);
    return [
      {
        name: 'PUT into one hot company through the gateway',
        unit: 'requests/s',
        ...compare(figures.ours, figures.limit),
        reach: { of: 'ratio', is: 'at least', bound: 2 },
      },
    ];
  },
};
