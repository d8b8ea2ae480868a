import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { makeBareTables } from '../baselines/bare-tables.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { runRepeatedTask } from '../run-child.ts';
import { noteOf } from '../system/texts.ts';

const connections = 32;
const bareUpserts = fileURLToPath(import.meta.resolve('../baselines/bare-upserts.ts'));

/** Concurrent writes into one company; the baseline is plain upserts with a counter row. */
export const putContention: Measurement = {
  name: 'put',
  measure: async ({ product, environment, profile }) => {
    const { databaseUrl } = product;
    const company = await environment.makeCompany('Hot');
    await makeBareTables(databaseUrl);
    const request = {
      method: 'PUT',
      path: '/api/notes/{{id}}',
      headers: { ...bearer(company.key), 'content-type': 'application/json' },
      body: JSON.stringify(noteOf('put {{n}}')),
    } as const;
    const { seconds, rounds } = profile;
    const variants = {
      ours: async () => {
        const load = { url: product.url, requests: [request], connections, seconds };
        return (await runLoad(load)).perSecond;
      },
      baseline: () =>
        runRepeatedTask<number>({
          file: bareUpserts,
          input: { databaseUrl, connections, seconds },
        }),
    };
    await interleave(profile.warmUpRounds, variants);
    const figures = await interleave(rounds, variants);
    return [
      {
        name: 'PUT into one hot company through the gateway',
        unit: 'requests/s',
        ...compare(figures.ours, figures.baseline),
        target: { of: 'ratio', is: 'at least', bound: 2.5 },
      },
    ];
  },
};
