import type { Client } from 'pg';

/** Throws if a service is connected: it would overwrite restored data, with epochs it has in memory. */
export const assertNoConnections = async (client: Pick<Client, 'query'>): Promise<void> => {
  const { rows } = await client.query<{ role: string }>(workingRoles);
  if (rows.length > 0) {
    const roles = rows.map(({ role }) => role).join(', ');
    throw new Error(`Services are connected to the database (${roles}). Stop them first.`);
  }
};

const workingRoles = `
  select distinct usename::text as role
  from pg_stat_activity
  where datname = current_database() and usename in ('auth_app', 'agents_app', 'notes_app')
  order by 1`;
