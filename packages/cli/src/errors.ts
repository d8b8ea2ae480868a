/** Invalid arguments. The message lists all problems, one per line. */
export class UsageError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
  }
}

/** A result that a command reports as a failure, with its exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;
  /** The same for programs: a code, as in a problem of the API. */
  readonly code: string;

  constructor(message: string, { exitCode, code }: { exitCode: number; code: string }) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.code = code;
  }
}
