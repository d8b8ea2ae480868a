import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/load.ts';
import type { Measurement } from '../measurement.ts';
import { runServer } from '../run-child.ts';
import { patientApi } from '../system/patient-api.ts';

const proxyFile = fileURLToPath(import.meta.resolve('../limits/bare-proxy.ts'));
const readFile = fileURLToPath(import.meta.resolve('../limits/bare-read.ts'));

/**
 * A client that is up to date asks what is new, alone. The limit reads one row by its key, behind a
 * bare proxy: the same processes on the way, with nothing in them.
 */
export const emptyDelta: Measurement = {
  name: 'delta',
  measure: async ({ product, world, effort }) => {
    const { companyId, key } = world.company;
    const headers = { ...bearer(key), 'content-type': 'application/json' };
    const pulled = await patientApi({ baseUrl: product.url, headers })('POST', '/api/sync', {
      body: {},
    });
    const { cursor } = pulled.body as { cursor: string };
    const input = { databaseUrl: product.databaseUrl, companyId, what: 'feed' };
    const service = await runServer({ file: readFile, input });
    const proxy = await runServer({ file: proxyFile, input: { target: service.url } });
    const body = JSON.stringify({ cursor });
    const request: LoadRequest = { method: 'POST', path: '/api/sync', headers, body };
    const alone = (url: string) => async () =>
      1000 /
      (await runLoad({ url, requests: [request], connections: 1, seconds: effort.seconds }))
        .perSecond;
    const ways = { ours: alone(product.url), limit: alone(proxy.url) };
    try {
      await interleave(effort.warmUpRounds, ways);
      const figures = await interleave(effort.rounds, ways);
      return [
        {
          name: 'empty delta sync, 1 client',
          unit: 'ms',
          ...compare(figures.ours, figures.limit),
          reach: { of: 'ratio', is: 'at most', bound: 2 },
        },
      ];
    } finally {
      proxy.stop();
      service.stop();
    }
  },
};
