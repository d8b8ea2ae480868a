import { fileURLToPath } from 'node:url';
import { bearer } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { runLoad } from '../load/run-load.ts';
import type { LoadFigures } from '../load/load.ts';
import { median } from '../median.ts';
import { runServer } from '../run-child.ts';
import { readers } from '../system/world.ts';
import { processorTimeOf } from '../system/processor-time.ts';

const bareProxy = fileURLToPath(import.meta.resolve('../limits/bare-proxy.ts'));

type Figures = LoadFigures & { readonly processorUs: number };

/** Reads of notes, a note a reader, through the gateway, beside the same reads through the barest proxy of its make. */
export const readNote: Measurement = {
  name: 'read',
  measure: async (bench) => {
    const { product, world, effort } = bench;
    const { company } = world;
    const notes = product.services['notes']?.url ?? '';
    const proxy = await runServer({ file: bareProxy, input: { target: notes } });
    const gateway = { url: product.url, pid: product.services['gateway']?.pid ?? 0 };
    const read = (at: { url: string; pid: number }, headers: () => Record<string, string>) => () =>
      readAt(bench, at, headers());
    const ways = {
      key: read(gateway, () => bearer(company.key)),
      limit: read(proxy, () => ({ ...world.signedFor(company) })),
      run: read(gateway, () => bearer(company.runToken)),
    };
    try {
      await interleave(effort.warmUpRounds, ways);
      const figures = await interleave(effort.rounds, ways);
      return [
        ...rowsOf('API key', figures.key, figures.limit),
        ...rowsOf('run JWT', figures.run, figures.limit),
      ];
    } finally {
      proxy.stop();
    }
  },
};

const readAt = async (
  { world, effort }: Bench,
  { url, pid }: { readonly url: string; readonly pid: number },
  headers: Record<string, string>,
): Promise<Figures> => {
  const before = processorTimeOf(pid);
  const figures = await runLoad({
    url,
    requests: world.notePaths.map((path) => ({ method: 'GET', path, headers })),
    connections: readers,
    seconds: effort.seconds,
  });
  return { ...figures, processorUs: (processorTimeOf(pid) - before) / figures.requests };
};

const rowsOf = (
  credential: string,
  ours: readonly Figures[],
  limit: readonly Figures[],
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
        of(limit, (f) => f.perSecond),
      ),
      reach: { of: 'ratio', is: 'at least', bound: 0.85 },
      note: `processor time a request: gateway ${used(ours)} µs, bare proxy ${used(limit)} µs`,
    },
    {
      name: `read a note through the gateway, ${credential}, p99`,
      unit: 'ms',
      ...compare(
        of(ours, (f) => f.p99Ms),
        of(limit, (f) => f.p99Ms),
      ),
      reach: { of: 'ratio', is: 'at most', bound: 1.3 },
    },
  ];
};
