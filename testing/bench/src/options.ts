import { parseArgs } from 'node:util';

/** The options of the command line. */
export type Options = {
  readonly jsonFile: string | null;
  /** Names of measurements; empty: all of a full run. */
  readonly only: readonly string[];
  readonly isQuick: boolean;
  /** Write the rows that have a target into docs/performance.md. */
  readonly isForDocs: boolean;
  /** Questions of search-quality, in place of those of the repository. */
  readonly questionsFile: string | null;
};

/** Text to print instead of a run, and whether `--help` was given. */
export type Help = { readonly help: string; readonly isWanted: boolean };

/** Parses the command line. Returns the help on `--help`, and after what is wrong on anything unknown. */
export const readOptions = (args: readonly string[], known: readonly string[]): Options | Help => {
  const parsed = parse(args);
  if ('problem' in parsed) {
    return { help: `${parsed.problem}\n\n${helpOf(known)}`, isWanted: false };
  }
  const { json: jsonFile = null, only = [], quick: isQuick, docs: isForDocs, help } = parsed.values;
  const { questions: questionsFile = null } = parsed.values;
  const unknown = only.filter((name) => !known.includes(name));
  if (help) {
    return { help: helpOf(known), isWanted: true };
  }
  return unknown.length > 0
    ? { help: `Unknown measurement: ${unknown.join(', ')}\n\n${helpOf(known)}`, isWanted: false }
    : { jsonFile, only, isQuick, isForDocs, questionsFile };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'string' },
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        docs: { type: 'boolean', default: false },
        questions: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

const helpOf = (known: readonly string[]): string => `Usage: pnpm bench [options]

  --only NAME   runs one measurement; may be repeated
  --quick       runs fewer and shorter rounds, on less data
  --json FILE   writes the results as JSON
  --docs        writes the results into docs/performance.md
  --questions FILE  searches for these in search-quality, in place of the questions of the repository
  --help        prints this

Measurements: ${known.join(', ')}`;
