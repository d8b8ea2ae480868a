import type { Client } from 'pg';
import { serviceNames } from './service-names.ts';
import type { ServiceName } from './service-names.ts';

/** The migrations of a database, by service, in their order. */
export type History = Readonly<Record<ServiceName, readonly string[]>>;

/** Reads which migrations have run; none if there is no schema yet. */
export const readHistory = async (client: Pick<Client, 'query'>): Promise<History> => {
  const names: Record<ServiceName, string[]> = { auth: [], agents: [], notes: [] };
  for (const service of serviceNames) {
    const { rows: found } = await client.query<{ exists: boolean }>(hasHistory, [service]);
    if (found[0]?.exists) {
      // An administrator without superuser rights can read the history only as the owner of the schema.
      await client.query(`set role ${service}_owner`);
      const { rows } = await client.query<{ name: string }>(
        `select name from ${service}.knex_migrations order by id`,
      );
      await client.query('reset role');
      names[service] = rows.map(({ name }) => name);
    }
  }
  return names;
};

const hasHistory = `
  select exists (
    select from pg_tables where schemaname = $1 and tablename = 'knex_migrations'
  ) as exists`;
