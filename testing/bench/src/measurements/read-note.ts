import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadFigures } from '../load/run-load.ts';
import { median } from '../median.ts';
import { runServer } from '../run-child.ts';
import { readers } from '../system/environment.ts';
import { processorTimeOf } from '../system/proc.ts';

const bareProxy = fileURLToPath(import.meta.resolve('../baselines/bare-proxy.ts'));

type Figures = LoadFigures & { readonly processorUs: number };

/** Reads of one note per reader through the gateway; the baseline is a bare proxy of the same library. */
export const readNote: Measurement = {
  name: 'read',
  measure: async (bench) => {
    const { product, environment, profile } = bench;
    const { company } = environment;
    const notes = product.services['notes']?.url ?? '';
    const proxy = await runServer({ file: bareProxy, input: { target: notes } });
    const gateway = { url: product.url, pid: product.services['gateway']?.pid ?? 0 };
    const read = (at: { url: string; pid: number }, headers: () => Record<string, string>) => () =>
      readAt(bench, at, headers());
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

const readAt = async (
  { environment, profile }: Bench,
  { url, pid }: { readonly url: string; readonly pid: number },
  headers: Record<string, string>,
): Promise<Figures> => {
  const before = processorTimeOf(pid);
  const figures = await runLoad({
    url,
    requests: environment.notePaths.map((path) => ({ method: 'GET', path, headers })),
    connections: readers,
    seconds: profile.seconds,
  });
  return { ...figures, processorUs: (processorTimeOf(pid) - before) / figures.requests };
};

const rowsOf = (
  credential: string,
  ours: readonly Figures[],
  baseline: readonly Figures[],
): readonly Row[] => {
  const of = (figures: readonly Figures[], pick: (one: Figures) => number) => figures.map(pick);
  const used = (figures: readonly Figures[]) =>
    Math.round(median(of(figures, (f) => f.processorUs)));
  return [
    {
      name: `read a note through the gateway, ${credential}`,
      unit: 'requests/s',
      ...compare(
        of(ours, (f) => f.perSecond),
        of(baseline, (f) => f.perSecond),
      ),
      target: { of: 'ratio', is: 'at least', bound: 0.85 },
      note: `processor time a request: gateway ${used(ours)} µs, bare proxy ${used(baseline)} µs`,
    },
    {
      name: `read a note through the gateway, ${credential}, p99`,
      unit: 'ms',
      ...compare(
        of(ours, (f) => f.p99Ms),
        of(baseline, (f) => f.p99Ms),
      ),
      target: { of: 'ratio', is: 'at most', bound: 1.3 },
    },
  ];
};
