import type { Client } from 'pg';

/** Commits all of the work, or nothing. */
export const inOneTransaction = async (
  client: Pick<Client, 'query'>,
  work: () => Promise<void>,
): Promise<void> => {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};
