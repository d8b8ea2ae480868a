import { failure, ok, warning, type Finding } from './finding.ts';

/** Runs a statement without parameters; any role of ours may run those of this file. */
type Query = <Row extends object>(text: string) => Promise<readonly Row[]>;

const versionMin = 15;
const skewSecondsMax = 5;

/** Checks version, clock, connections, roles and row-level security of the database. */
export const databaseFindings = async (query: Query): Promise<Finding[]> => [
  ...(await serverFindings(query)),
  await roleFinding(query),
  await tableFinding(query),
];

/** What PostgreSQL says of itself. */
export type DatabaseServer = {
  readonly version: string;
  readonly sizeBytes: number;
  readonly used: number;
  readonly max: number;
};

/** Reads version, size and connections. The connections of all databases count, because they share the limit. */
export const describeDatabase = async (query: Query): Promise<DatabaseServer> => {
  const [row] = await query<DatabaseServer>(`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (select sum(numbackends)::integer from pg_stat_database) as used,
      current_setting('max_connections')::integer as max`);
  return row ?? { version: '', sizeBytes: 0, used: 0, max: 0 };
};

type Server = { readonly version: number; readonly now: Date; readonly used: number } & {
  readonly most: number;
};

const serverFindings = async (query: Query): Promise<Finding[]> => {
  const [row] = await query<Server>(`
    select current_setting('server_version_num')::integer / 10000 as version,
      clock_timestamp() as now,
      (select sum(numbackends)::integer from pg_stat_database) as used,
      current_setting('max_connections')::integer as most`);
  const { version = 0, now = new Date(0), used = 0, most = 1 } = row ?? {};
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

const roleFinding = async (query: Query): Promise<Finding> => {
  const rows = await query<{ name: string; isPrivileged: boolean }>(`
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

const tableFinding = async (query: Query): Promise<Finding> => {
  const rows = await query<{ name: string }>(`
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
