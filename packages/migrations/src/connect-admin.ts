import pg from 'pg';

/**
 * Connects to a database. If the connection is lost, the query under way fails; the event is for those who have none,
 * and without a listener it would end the process.
 */
export const connectAdmin = async (adminUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};
