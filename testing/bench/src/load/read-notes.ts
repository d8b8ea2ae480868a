import { median } from '../median.ts';
import type { Bench } from '../measurement.ts';
import { readers, type BenchEnvironment } from '../system/environment.ts';
import { processorTimeOf } from '../system/proc.ts';
import { runLoad, type LoadFigures } from './run-load.ts';

/** `processorUs`: processor time of the processes per request, in microseconds. */
export type ReadFigures = LoadFigures & { readonly processorUs: number };

type Reads = {
  readonly url: string;
  /** The processes whose time counts. */
  readonly pids: readonly number[];
  readonly notePaths: BenchEnvironment['notePaths'];
  readonly headers: Readonly<Record<string, string>>;
};

/** Reads of one note per reader. */
export const readNotes = async (
  { profile }: Pick<Bench, 'profile'>,
  { url, pids, notePaths, headers }: Reads,
): Promise<ReadFigures> => {
  const usedUs = () => pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
  const before = usedUs();
  const figures = await runLoad({
    url,
    requests: notePaths.map((path) => ({ method: 'GET', path, headers })),
    connections: readers,
    seconds: profile.seconds,
  });
  return { ...figures, processorUs: (usedUs() - before) / figures.requests };
};

/** The median of the rounds, in whole microseconds. */
export const medianProcessorUs = (figures: readonly ReadFigures[]): number =>
  Math.round(median(figures.map(({ processorUs }) => processorUs)));
