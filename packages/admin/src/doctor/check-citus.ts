import { failure, ok, warning, type Finding } from '@commonplace/checks';
import { hasCitus } from '@commonplace/migrations';
import type { Client } from 'pg';

/** Null means the node could not be reached. */
type Node = { readonly node: string; readonly walLevel: string | null };

type Database = Pick<Client, 'query'>;

/** Checks the nodes of a Citus cluster. Nothing on a plain PostgreSQL. */
export const checkCitus = async (client: Database): Promise<Finding[]> =>
  (await hasCitus(client)) ? [await checkNodes(client), ...(await checkMoves(client))] : [];

/** Requests of the companies of a disabled node fail until it is activated, which Citus never does by itself. */
const checkNodes = async (client: Database): Promise<Finding> => {
  const { rows } = await client.query<{ host: string; port: number; active: boolean }>(
    `select nodename as host, nodeport as port, isactive as active
     from pg_dist_node
     where noderole = 'primary'
     order by 1, 2`,
  );
  const disabled = rows.filter(({ active }) => !active);
  return disabled.length === 0
    ? ok('nodes of the cluster', `${rows.length} active`)
    : failure(
        'nodes of the cluster',
        `disabled: ${disabled.map(({ host, port }) => `${host}:${port}`).join(', ')}`,
        `Start them, then run on the coordinator: ${disabled
          .map(({ host, port }) => `select citus_activate_node('${host}', ${port});`)
          .join(' ')}`,
      );
};

const check = 'moves of companies';

/**
 * Says how companies can be moved. By logical replication, acknowledged changes can be lost if their tables have several
 * owners (docs/adr/0072-one-owner-of-tenant-tables-on-citus.md), as those of an older release have.
 */
const checkMoves = async (client: Database): Promise<Finding[]> => {
  const { rows } = await client.query<Node>(walLevels);
  const nodesWith = (wanted: string | null) =>
    rows.filter(({ walLevel }) => walLevel === wanted).map(({ node }) => node);
  const logical = nodesWith('logical');
  const unreachable = nodesWith(null);
  const owners = logical.length > 0 ? await listOwners(client) : [];
  const findings = [
    ...(owners.length > 1
      ? [
          failure(
            check,
            `tables of companies belong to ${owners.join(', ')}, and wal_level is logical on ${logical.join(', ')}: a move may lose changes`,
            'Run pnpm migrate, which gives them one owner.',
          ),
        ]
      : []),
    ...(unreachable.length > 0
      ? [
          warning(
            check,
            `unknown, because the coordinator cannot reach ${unreachable.join(', ')}`,
            'Start these nodes, or let the coordinator connect to them.',
          ),
        ]
      : []),
  ];
  const isOnline = logical.length === rows.length;
  return findings.length > 0
    ? findings
    : [ok(check, isOnline ? 'while they are written' : 'only with writes blocked')];
};

const listOwners = async (client: Database): Promise<string[]> => {
  const { rows } = await client.query<{ owner: string }>(owners);
  return rows.map(({ owner }) => owner);
};

const owners = `
  select distinct c.relowner::regrole::text as owner
  from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid
  where p.partmethod = 'h'
  order by 1`;

/** A coordinator that is not in the metadata has the node id 0. */
const walLevels = `
  select coalesce(n.nodename || ':' || n.nodeport, 'the coordinator') as node,
    case when r.success then r.result end as "walLevel"
  from run_command_on_all_nodes('show wal_level') r
  left join pg_dist_node n on n.nodeid = r.nodeid
  order by 1`;
