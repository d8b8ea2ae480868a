import pg from 'pg';
import { serviceNames } from './service-names.ts';
import type { RolePasswords, ServiceName } from './service-names.ts';

type Connection = Pick<pg.Client, 'query' | 'host' | 'port' | 'database' | 'ssl'>;

/**
 * Throws if another deployment on the same server uses our roles with other passwords. Roles belong to the whole
 * server: setting the passwords would lock out the other deployment at its next connection. If no other database
 * has our roles, nothing connects.
 */
export const assertRolesAreOurs = async (
  client: Connection,
  passwords: RolePasswords,
): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(otherDatabases);
  if (rows.length === 0) {
    return;
  }
  for (const service of serviceNames) {
    if (await isWrongPassword(client, service, passwords[service])) {
      const names = rows.map(({ name }) => name).join(', ');
      throw new Error(
        `Another deployment uses this PostgreSQL server (databases: ${names}), and ${service}_app has another password there than ${service.toUpperCase()}_DATABASE_PASSWORD says. Roles belong to the whole server, so this would lock out that deployment. Nothing was changed. Use the same AUTH_, AGENTS_ and NOTES_DATABASE_PASSWORD as it does, or another server. If those databases are unused, drop them. To change the password for all of them, have an administrator run "alter role ${service}_app password …" first.`,
      );
    }
  }
};

/** The other databases with objects of our owner roles. */
const otherDatabases = `
  select distinct d.datname as name
  from pg_shdepend s
  join pg_database d on d.oid = s.dbid
  join pg_roles r on r.oid = s.refobjid
  where s.refclassid = 'pg_authid'::regclass
    and r.rolname in ('auth_owner', 'agents_owner', 'notes_owner')
    and d.datname <> current_database()
  order by name`;

const invalidPassword = '28P01';

/** True only if the server rejects the password. Other failures say nothing about it. */
const isWrongPassword = async (
  { host, port, database, ssl }: Connection,
  service: ServiceName,
  password: string,
): Promise<boolean> => {
  const user = `${service}_app`;
  const client = new pg.Client({ host, port, database: database ?? '', user, password, ssl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return (error as { code?: string }).code === invalidPassword;
  } finally {
    await client.end().catch(() => undefined);
  }
};
