/** This configuration or code does not fit the database, and waiting does not change that. */
export class RefusedStartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedStartError';
  }
}

/**
 * Runs the checks, and exits with 1 when one throws a RefusedStartError, with a message that says what to do. With
 * other errors, such as an unavailable database, the process starts and is not ready until the checks pass.
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
      await reportRefusal(error.message);
      process.exit(1);
    }
  }
};

/**
 * As `refuseWrongStart`, for a check that readiness repeats: a RefusedStartError ends the process as at startup, and
 * every other error is thrown.
 */
export const refusingLater =
  (check: () => Promise<void>): (() => Promise<void>) =>
  async () => {
    await refuseWrongStart(check);
    await check();
  };

/** A supervisor prints the message itself, and does not restart the process. */
const reportRefusal = (message: string): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) {
      process.send({ type: 'refused', message }, () => resolve());
    } else {
      process.stderr.write(`${message}\n`, () => resolve());
    }
  });
