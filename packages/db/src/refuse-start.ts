/** This configuration or code does not fit the database, and will not come to fit it by waiting alone. */
export class RefusedStartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedStartError';
  }
}

/**
 * Runs the checks and ends the process with 1 when one refuses, with a message that says what to do. Other
 * failures end nothing: with a database that is away the process starts, and is not ready until the checks pass.
 */
export const refuseWrongStart = async (
  ...checks: readonly (() => Promise<void>)[]
): Promise<void> => {
  try {
    for (const check of checks) {
      await check();
    }
  } catch (error) {
    if (error instanceof RefusedStartError) {
      await tell(error.message);
      process.exit(1);
    }
  }
};

/**
 * As `refuseWrongStart` for a check that readiness repeats: what the database says only later ends the process
 * as it would have at start, and every other failure is thrown.
 */
export const refusingLater =
  (check: () => Promise<void>): (() => Promise<void>) =>
  async () => {
    await refuseWrongStart(check);
    await check();
  };

/** A supervisor tells it to people itself, and does not try the start again. */
const tell = (message: string): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) {
      process.send({ type: 'refused', message }, () => resolve());
    } else {
      process.stderr.write(`${message}\n`, () => resolve());
    }
  });
