import pg from 'pg';
import { serviceNames } from './service-names.ts';
import type { RolePasswords, ServiceName } from './service-names.ts';

type Connection = Pick<pg.Client, 'query' | 'host' | 'port' | 'database' | 'ssl'>;

/**
 * Refuses to set the passwords of roles that another deployment on the same server works with: roles belong to
 * the whole server, and every other database would be locked out at its next connection. Databases that share
 * the passwords go on as before, and where no other database has our roles, nothing connects.
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
        `Another deployment uses this PostgreSQL server (databases: ${names}), and ${service}_app has another password there than ${service.toUpperCase()}_DATABASE_PASSWORD says. Roles belong to the whole server: to go on would lock that deployment out. Nothing was changed. Use the same AUTH_, AGENTS_ and NOTES_DATABASE_PASSWORD as it does, or another server. Are those databases unused, drop them; is the password to change for all of them, have an administrator run "alter role ${service}_app password …" first.`,
      );
    }
  }
};

/** The other databases in which something belongs to one of our owners. */
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

/** True only when the server says so: what fails for another reason tells nothing about the password. */
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
