import { namesOfMigrations, readHistory, serviceNames } from '@commonplace/migrations';
import pg from 'pg';
import { failure, ok, skipped, warning, type Deployment, type Finding } from './finding.ts';

const versionMin = 15;
const skewSecondsMax = 5;

/** Checks version, clock, connections, roles, row-level security and schema of the database. */
export const checkDatabase = async ({ adminUrl, dataDir }: Deployment): Promise<Finding[]> => {
  if (adminUrl === null) {
    const why =
      dataDir === null
        ? 'set DATABASE_URL with the role of an administrator to check it'
        : `the embedded PostgreSQL of ${dataDir} does not run: pnpm start starts or creates it`;
    return [skipped('database', why)];
  }
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return [
      ...(await serverFindings(client)),
      await roleFinding(client),
      await tableFinding(client),
      ...(await schemaFindings(client)),
    ];
  } catch (error) {
    const todo = 'Is PostgreSQL running, and is the password right?';
    return [failure('database', (error as Error).message, todo)];
  } finally {
    await client.end().catch(() => undefined);
  }
};

type Server = { version: number; now: Date; used: number; most: number };

const serverFindings = async (client: pg.Client): Promise<Finding[]> => {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version_num')::integer / 10000 as version,
      clock_timestamp() as now,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::integer as most`);
  const { version = 0, now = new Date(0), used = 0, most = 1 } = rows[0] ?? {};
  const skewSeconds = Math.round(Math.abs(now.getTime() - Date.now()) / 1_000);
  return [
    version >= versionMin
      ? ok('PostgreSQL', `version ${version}`)
      : failure('PostgreSQL', `version ${version}`, `Upgrade to ${versionMin} or newer.`),
    skewSeconds <= skewSecondsMax
      ? ok('clock of PostgreSQL', `${skewSeconds} s off`)
      : warning('clock of PostgreSQL', `${skewSeconds} s off`, 'Synchronise clocks (NTP).'),
    used < most * 0.8
      ? ok('connections', `${used} of ${most}`)
      : warning(
          'connections',
          `${used} of ${most}`,
          'Lower DATABASE_CONNECTIONS_MAX, raise max_connections, or use PgBouncer (infra/scale).',
        ),
  ];
};

const roleFinding = async (client: pg.Client): Promise<Finding> => {
  const { rows } = await client.query<{ name: string; isPrivileged: boolean }>(`
    select r.rolname::text as name,
      r.rolsuper or r.rolbypassrls or r.rolcreaterole
        or exists (select from pg_class c where c.relowner = r.oid) as "isPrivileged"
    from pg_roles r
    where r.rolname in ('auth_app', 'agents_app', 'notes_app')`);
  const privileged = rows.filter(({ isPrivileged }) => isPrivileged).map(({ name }) => name);
  if (rows.length < 3) {
    return failure('roles', `${rows.length} of 3 roles of the services exist`, 'Run pnpm migrate.');
  }
  return privileged.length === 0
    ? ok('roles', 'the roles of the services own nothing and obey row-level security')
    : failure(
        'roles',
        `${privileged.join(', ')} has more rights than it needs`,
        'Revoke SUPERUSER, BYPASSRLS, CREATEROLE and ownership of tables, then run pnpm migrate.',
      );
};

const tableFinding = async (client: pg.Client): Promise<Finding> => {
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('agents', 'notes') and c.relkind = 'r' and not c.relrowsecurity
      and exists (select from pg_policy p where p.polrelid = c.oid)`);
  return rows.length === 0
    ? ok('row-level security', 'enabled for every table with a policy')
    : failure(
        'row-level security',
        `is disabled for ${rows.map(({ name }) => name).join(', ')}`,
        'Run alter table … enable row level security, and find out who disabled it.',
      );
};

const schemaFindings = async (client: pg.Client): Promise<Finding[]> => {
  const history = await readHistory(client);
  return Promise.all(
    serviceNames.map(async (service) => {
      const known = await namesOfMigrations(service);
      const missing = known.filter((name) => !history[service].includes(name));
      const newer = history[service].filter((name) => !known.includes(name));
      if (missing.length > 0) {
        return failure(`schema ${service}`, `${missing.join(', ')} not run`, 'Run pnpm migrate.');
      }
      return newer.length > 0
        ? warning(`schema ${service}`, `${newer.join(', ')} is of a newer release`, 'Upgrade.')
        : ok(`schema ${service}`, `at ${known.at(-1) ?? 'nothing'}`);
    }),
  );
};
