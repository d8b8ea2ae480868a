import type { Client } from 'pg';
import { hasCitus } from '../has-citus.ts';

/**
 * Throws if a service is connected: it would overwrite restored data, with epochs it has in memory. On Citus it may be
 * connected to any node, so all of them have to respond.
 */
export const assertNoConnections = async (client: Pick<Client, 'query'>): Promise<void> => {
  const roles = (await hasCitus(client))
    ? await readRolesOfNodes(client)
    : (await client.query<{ role: string }>(workingRoles)).rows.map(({ role }) => role);
  if (roles.length > 0) {
    const names = [...new Set(roles)].toSorted().join(', ');
    throw new Error(
      `Services are connected to the database (${names}). Stop them first, and a pooler such as PgBouncer: it keeps their connections.`,
    );
  }
};

const readRolesOfNodes = async (client: Pick<Client, 'query'>): Promise<string[]> => {
  const { rows } = await client.query<{ success: boolean; result: string }>(rolesOnAllNodes, [
    workingRoles,
  ]);
  const failed = rows.find(({ success }) => !success);
  if (failed) {
    throw new Error(`A node of the cluster does not say who is connected: ${failed.result}`);
  }
  return rows.flatMap(({ result }) => result.split(' ').filter(Boolean));
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
  select r.success, coalesce(r.result, '') as result
  from run_command_on_all_nodes(
    format('select string_agg(role, '' '') from (%s) roles', $1::text)
  ) r`;
