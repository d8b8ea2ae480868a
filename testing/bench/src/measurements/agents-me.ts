import { bearer } from '@commonplace/e2e';
import { interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';

const connections = 32;

/** Paperclip on a machine of this kind: 164 to 201 requests/s, p50 151 to 188 ms. */
const recorded = { perSecond: 201, p50Ms: 151 } as const;

/** An agent asks who it is. */
export const agentsMe: Measurement = {
  name: 'me',
  measure: async ({ product, world, effort }) => {
    const request = {
      method: 'GET',
      path: '/api/agents/me',
      headers: bearer(world.company.key),
    } as const;
    const ways = {
      ours: () =>
        runLoad({ url: product.url, requests: [request], connections, seconds: effort.seconds }),
    };
    await interleave(effort.warmUpRounds, ways);
    const { ours } = await interleave(effort.rounds, ways);
    return [
      {
        name: 'GET /api/agents/me, API key',
        unit: 'requests/s',
        value: median(ours.map((one) => one.perSecond)),
        limit: recorded.perSecond,
        isLimitRecorded: true,
        reach: { of: 'ratio', is: 'at least', bound: 15 },
      },
      {
        name: 'GET /api/agents/me, API key, p99',
        unit: 'ms',
        value: median(ours.map((one) => one.p99Ms)),
        limit: recorded.p50Ms,
        isLimitRecorded: true,
        reach: { of: 'value', is: 'at most', bound: 40 },
        note: 'the recorded figure is a p50',
      },
    ];
  },
};
