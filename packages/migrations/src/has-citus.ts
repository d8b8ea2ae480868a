import type { Client } from 'pg';

/** Whether the database is in a Citus cluster. */
export const hasCitus = async (client: Pick<Client, 'query'>): Promise<boolean> => {
  const { rows } = await client.query<{ hasCitus: boolean }>(
    `select to_regproc('create_distributed_table') is not null as "hasCitus"`,
  );
  return rows[0]?.hasCitus === true;
};
