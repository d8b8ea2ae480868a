import type { ParseArgsOptionsConfig } from 'node:util';
import type { Environment } from '@commonplace/config';

/** The parsed command line, and the variables of the process. */
export type CommandInput = {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly args: readonly string[];
  readonly env: Environment;
};

/** One command of the CLI. */
export type Command = {
  /** Absent for a command that parses its arguments itself. */
  readonly options?: ParseArgsOptionsConfig;
  readonly argsMax?: number;
  /** Returns the exit code; none means 0. An error ends the command with 1 and its message. */
  readonly run: (input: CommandInput) => Promise<number | void>;
};

/** The command line is not valid; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints one line of the result to standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
