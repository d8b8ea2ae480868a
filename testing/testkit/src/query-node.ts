import pg from 'pg';

/** Runs a statement in a session of its own, and returns its rows. */
export const queryNode = async (
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
};
