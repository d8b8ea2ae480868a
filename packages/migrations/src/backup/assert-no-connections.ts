import type { Client } from 'pg';
import { hasCitus } from '../has-citus.ts';

/**
 * Throws if a service is connected: it would overwrite restored data, with epochs it has in memory. On Citus it may be
 * connected to any node.
 */
export const assertNoConnections = async (client: Pick<Client, 'query'>): Promise<void> => {
  const { rows } = (await hasCitus(client))
    ? await client.query<{ role: string }>(rolesOnAllNodes, [workingRoles])
    : await client.query<{ role: string }>(workingRoles);
  if (rows.length > 0) {
    const roles = rows.map(({ role }) => role).join(', ');
    throw new Error(`Services are connected to the database (${roles}). Stop them first.`);
  }
};

/** The connections of Citus between its nodes are left out, because they may outlast their service by a moment. */
const workingRoles = `
  select distinct usename::text as role
  from pg_stat_activity
  where datname = current_database() and usename in ('auth_app', 'agents_app', 'notes_app')
    and application_name not like 'citus\\_%'
  order by 1`;

/** Each node returns one value. $1 the statement that lists the roles of a node. */
const rolesOnAllNodes = `
  select distinct unnest(string_to_array(r.result, ' ')) as role
  from run_command_on_all_nodes(
    format('select string_agg(role, '' '') from (%s) roles', $1::text)
  ) r
  where r.success
  order by 1`;
