import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { runServer } from '../run-child.ts';
import { syncCursorOf } from '../system/sync-cursor.ts';

const proxyFile = fileURLToPath(import.meta.resolve('../baselines/bare-proxy.ts'));
const readFile = fileURLToPath(import.meta.resolve('../baselines/bare-read.ts'));

/**
 * One client that is up to date pulls a delta. The baseline reads one row by its key behind a bare proxy:
 * the same number of processes without their work.
 */
export const emptyDelta: Measurement = {
  name: 'delta',
  measure: async ({ product, environment, profile }) => {
    const { companyId, key } = environment.company;
    const headers = { ...bearer(key), 'content-type': 'application/json' };
    const cursor = await syncCursorOf(product, environment.company);
    const input = { databaseUrl: product.databaseUrl, companyId, what: 'feed' };
    const service = await runServer({ file: readFile, input });
    const proxy = await runServer({ file: proxyFile, input: { target: service.url } });
    const body = JSON.stringify({ cursor });
    const request: LoadRequest = { method: 'POST', path: '/api/sync', headers, body };
    const alone = (url: string) => async () =>
      1000 /
      (await runLoad({ url, requests: [request], connections: 1, seconds: profile.seconds }))
        .perSecond;
    const variants = { ours: alone(product.url), baseline: alone(proxy.url) };
    try {
      await interleave(profile.warmUpRounds, variants);
      const figures = await interleave(profile.rounds, variants);
      return [
        {
          name: 'empty delta sync, 1 client',
          unit: 'ms',
          ...compare(figures.ours, figures.baseline),
          target: { of: 'ratio', is: 'at most', bound: 2 },
        },
      ];
    } finally {
      proxy.stop();
      service.stop();
    }
  },
};
