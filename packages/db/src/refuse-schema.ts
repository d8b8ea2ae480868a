import { SchemaMismatchError } from './schema-check.ts';

/**
 * Ends the process with 1 and one line that says what to do when the schema does not fit. A database that
 * is away ends nothing: the process starts and is not ready until the check has passed.
 */
export const refuseForeignSchema = async (check: () => Promise<void>): Promise<void> => {
  try {
    await check();
  } catch (error) {
    if (error instanceof SchemaMismatchError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
  }
};
