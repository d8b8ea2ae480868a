import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import type { Measurement, Row } from '../measurement.ts';
import { medianProcessorUs, readNotes, type ReadFigures } from '../load/read-notes.ts';
import { runServer } from '../run-child.ts';

const bareProxy = fileURLToPath(import.meta.resolve('../baselines/bare-proxy.ts'));

/** Reads of one note per reader through the gateway; the baseline is a bare proxy of the same library. */
export const readNote: Measurement = {
  name: 'read',
  measure: async (bench) => {
    const { product, environment, profile } = bench;
    const { company } = environment;
    const notes = product.services.notes.url;
    const proxy = await runServer({ file: bareProxy, input: { target: notes } });
    const gateway = { url: product.url, pid: product.services.gateway.pid };
    const read = (at: { url: string; pid: number }, headers: () => Record<string, string>) => () =>
      readNotes(bench, {
        url: at.url,
        pids: [at.pid],
        notePaths: environment.notePaths,
        headers: headers(),
      });
    const variants = {
      key: read(gateway, () => bearer(company.key)),
      baseline: read(proxy, () => ({ ...environment.signedFor(company) })),
      run: read(gateway, () => bearer(company.runToken)),
    };
    try {
      await interleave(profile.warmUpRounds, variants);
      const figures = await interleave(profile.rounds, variants);
      return [
        ...rowsOf('API key', figures.key, figures.baseline),
        ...rowsOf('run JWT', figures.run, figures.baseline),
      ];
    } finally {
      proxy.stop();
    }
  },
};

const rowsOf = (
  credential: string,
  ours: readonly ReadFigures[],
  baseline: readonly ReadFigures[],
): readonly Row[] => [
  {
    name: `read a note through the gateway, ${credential}`,
    unit: 'requests/s',
    ...compare(
      ours.map((f) => f.perSecond),
      baseline.map((f) => f.perSecond),
    ),
    target: { of: 'ratio', is: 'at least', bound: 0.95 },
    note: `processor time a request: gateway ${medianProcessorUs(ours)} µs, bare proxy ${medianProcessorUs(baseline)} µs`,
  },
  {
    name: `read a note through the gateway, ${credential}, p99`,
    unit: 'ms',
    ...compare(
      ours.map((f) => f.p99Ms),
      baseline.map((f) => f.p99Ms),
    ),
    target: { of: 'ratio', is: 'at most', bound: 1.3 },
  },
];
