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
 * Checks that no node can move shards by logical replication, which loses acknowledged changes of ours
 * (docs/adr/0037-move-companies-with-writes-blocked.md).
 */
const checkMoves = async (client: Database): Promise<Finding[]> => {
  const { rows } = await client.query<Node>(walLevels);
  const nodesWith = (wanted: string | null) =>
    rows.filter(({ walLevel }) => walLevel === wanted).map(({ node }) => node);
  const logical = nodesWith('logical');
  const unreachable = nodesWith(null);
  const findings = [
    ...(logical.length > 0
      ? [
          warning(
            check,
            `wal_level is logical on ${logical.join(', ')}: a move may lose changes`,
            'Set wal_level to replica there (infra/scale).',
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
  return findings.length > 0 ? findings : [ok(check, 'only with writes blocked')];
};

/** A coordinator that is not in the metadata has the node id 0. */
const walLevels = `
  select coalesce(n.nodename || ':' || n.nodeport, 'the coordinator') as node,
    case when r.success then r.result end as "walLevel"
  from run_command_on_all_nodes('show wal_level') r
  left join pg_dist_node n on n.nodeid = r.nodeid
  order by 1`;
