import { bearer } from '@commonplace/e2e';
import { interleave } from '../interleave.ts';
import { runLoad } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';

const connections = 32;

/** Paperclip on a comparable machine: 164 to 201 requests/s, p50 151 to 188 ms. */
const recorded = { perSecond: 201, p50Ms: 151 } as const;

/** `GET /api/agents/me` by one agent. */
export const agentsMe: Measurement = {
  name: 'me',
  measure: async ({ product, environment, profile }) => {
    const request = {
      method: 'GET',
      path: '/api/agents/me',
      headers: bearer(environment.company.key),
    } as const;
    const variants = {
      ours: () =>
        runLoad({ url: product.url, requests: [request], connections, seconds: profile.seconds }),
    };
    await interleave(profile.warmUpRounds, variants);
    const { ours } = await interleave(profile.rounds, variants);
    return [
      {
        name: 'GET /api/agents/me, API key',
        unit: 'requests/s',
        value: median(ours.map((one) => one.perSecond)),
        baseline: recorded.perSecond,
        isBaselineRecorded: true,
        target: { of: 'ratio', is: 'at least', bound: 15 },
      },
      {
        name: 'GET /api/agents/me, API key, p99',
        unit: 'ms',
        value: median(ours.map((one) => one.p99Ms)),
        baseline: recorded.p50Ms,
        isBaselineRecorded: true,
        target: { of: 'value', is: 'at most', bound: 40 },
        note: 'the recorded figure is a p50',
      },
    ];
  },
};
