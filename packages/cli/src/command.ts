/** A verb of the command line. */
export type Command = {
  /** One line for the list of verbs. */
  readonly summary: string;
  /** What `--help` prints. */
  readonly help: string;
  /** Does the work and answers the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>;
};

/** The exit code of a failure of our own, as env(1) and timeout(1) use it: commands rarely do. */
export const ownFailure = 125;

/** The caller's words make no sense; the message says why, all reasons at once. */
export class UsageError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
  }
}
