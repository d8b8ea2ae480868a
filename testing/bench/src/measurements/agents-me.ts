import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { interleave } from '../interleave.ts';
import { medianProcessorUs, readNotes } from '../load/read-notes.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import { runServer } from '../run-child.ts';

const bareProxy = fileURLToPath(import.meta.resolve('../baselines/bare-proxy.ts'));
const path = '/api/agents/me';

/** Paperclip on a comparable machine: 164 to 201 requests/s, p50 151 to 188 ms. */
const recorded = { perSecond: 201, p50Ms: 151 } as const;

/** `GET /api/agents/me` by one agent; for the gateway's processor time the baseline is a bare proxy of the same library. */
export const agentsMe: Measurement = {
  name: 'me',
  measure: async (bench) => {
    const { product, environment, profile } = bench;
    const { company } = environment;
    const proxy = await runServer({
      file: bareProxy,
      input: { target: product.services.agents.url },
    });
    const read = (url: string, pid: number, headers: () => Record<string, string>) => () =>
      readNotes(bench, { url, pids: [pid], notePaths: [path], headers: headers() });
    const gateway = product.services.gateway.pid;
    const variants = {
      ours: read(product.url, gateway, () => bearer(company.key)),
      // An identity is valid for ten seconds, so each round signs its own.
      bare: read(proxy.url, proxy.pid, () => ({ ...environment.signedFor(company) })),
    };
    try {
      await interleave(profile.warmUpRounds, variants);
      const { ours, bare } = await interleave(profile.rounds, variants);
      return [
        {
          name: 'GET /api/agents/me, API key',
          unit: 'requests/s',
          value: median(ours.map((one) => one.perSecond)),
          baseline: recorded.perSecond,
          isBaselineRecorded: true,
          target: { of: 'ratio', is: 'at least', bound: 15 },
          note: `a bare proxy before the agents service: ${Math.round(median(bare.map((one) => one.perSecond)))} requests/s`,
        },
        {
          name: 'GET /api/agents/me, API key, p99',
          unit: 'ms',
          value: median(ours.map((one) => one.p99Ms)),
          baseline: recorded.p50Ms,
          isBaselineRecorded: true,
          target: { of: 'value', is: 'at most', bound: 25 },
          note: 'the recorded figure is a p50',
        },
        {
          name: 'processor time of the gateway for GET /api/agents/me, beside a bare proxy',
          unit: 'µs',
          value: medianProcessorUs(ours),
          baseline: medianProcessorUs(bare),
          target: { of: 'ratio', is: 'at most', bound: 1.15 },
        },
      ];
    } finally {
      proxy.stop();
    }
  },
};
