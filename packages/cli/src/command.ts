import type { Flags } from './flags.ts';

/** A subcommand of `commonplace`. */
export type Command = {
  /** The words after `commonplace`, such as `notes read`. */
  readonly name: string;
  /** The text of `--help`. */
  readonly help: string;
  /** Its options, for completion. */
  readonly flags: Flags;
  /** The exit code for all failures of this program, if it is not one of `exitCodes`. */
  readonly failureCode?: number;
  /** Runs the command. Returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/**
 * The exit code of a failure of a program that runs another one, as in env(1) and timeout(1). Other commands
 * rarely use it.
 */
export const internalErrorCode = 125;
