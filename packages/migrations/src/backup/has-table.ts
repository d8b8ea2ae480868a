import type { Client } from 'pg';

/** Whether a database has a table, which one of an earlier release may not have. */
export const hasTable = async (client: Pick<Client, 'query'>, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ hasTable: boolean }>(
    'select to_regclass($1) is not null as "hasTable"',
    [name],
  );
  return rows[0]?.hasTable === true;
};
