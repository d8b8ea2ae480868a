import { parseArgs } from 'node:util';
import type { BenchProfile } from './measurement.ts';

/** The options of the command line. */
export type Options = {
  readonly jsonFile: string | null;
  /** Names of measurements; empty: all of a full run. */
  readonly only: readonly string[];
  readonly isQuick: boolean;
  /** Write the rows that have a target into docs/performance.md. */
  readonly isForDocs: boolean;
};

/** Parses the command line; throws on an unknown option. */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'string' },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
    },
  });
  const { json: jsonFile = null, only = [], quick: isQuick, docs: isForDocs } = values;
  return { jsonFile, only, isQuick, isForDocs };
};

/** A full run takes about a quarter of an hour, a quick one less than six minutes. */
export const profileOf = ({ isQuick }: Pick<Options, 'isQuick'>): BenchProfile =>
  isQuick
    ? { rounds: 3, seconds: 2, warmUpRounds: 5, settleSeconds: 4 }
    : { rounds: 5, seconds: 5, warmUpRounds: 4, settleSeconds: 15 };
