import type { Client } from 'pg';

/** All of the work is committed, or none of it. */
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
