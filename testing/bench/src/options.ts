import { parseArgs } from 'node:util';
import type { Effort } from './measurement.ts';

/** What the command line asked for. */
export type Options = {
  readonly jsonFile: string | null;
  /** Names of measurements; empty: all that belong to a whole run. */
  readonly only: readonly string[];
  readonly isQuick: boolean;
  /** Write the table into docs/performance.md. */
  readonly isForDocs: boolean;
};

/** Reads the command line; an unknown option is an error that names it. */
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

/** A whole run takes about a quarter of an hour, a quick one less than six minutes. */
export const effortOf = ({ isQuick }: Pick<Options, 'isQuick'>): Effort =>
  isQuick
    ? { rounds: 3, seconds: 2, warmUpRounds: 5, settleSeconds: 4 }
    : { rounds: 5, seconds: 5, warmUpRounds: 4, settleSeconds: 15 };
