/** A subcommand of `commonplace`. */
export type Command = {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The text of `--help`. */
  readonly help: string;
  /** Runs the command. Returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** The exit code of a failure of this program, as in env(1) and timeout(1). Other commands rarely use it. */
export const internalErrorCode = 125;

/** Invalid arguments. The message lists all problems, one per line. */
export class UsageError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
  }
}
