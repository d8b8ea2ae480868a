import { ok, warning, type Finding } from '@commonplace/db';
import { hasCitus } from '@commonplace/migrations';
import type { Client } from 'pg';

type Node = { readonly node: string; readonly walLevel: string };

const check = 'moves of companies';

/**
 * Checks that the nodes of a Citus cluster cannot move shards by logical replication, which loses acknowledged changes of
 * ours (docs/adr/0037-move-companies-with-writes-blocked.md). Nothing on a plain PostgreSQL.
 */
export const checkCitus = async (client: Pick<Client, 'query'>): Promise<Finding[]> => {
  if (!(await hasCitus(client))) {
    return [];
  }
  const { rows } = await client.query<Node>(`
    select format('%s:%s', n.nodename, n.nodeport) as node, r.result as "walLevel"
    from run_command_on_all_nodes('show wal_level') r
    join pg_dist_node n on n.nodeid = r.nodeid
    order by 1`);
  const logical = rows.filter(({ walLevel }) => walLevel === 'logical').map(({ node }) => node);
  return [
    logical.length === 0
      ? ok(check, 'only with writes blocked')
      : warning(
          check,
          `wal_level is logical on ${logical.join(', ')}: a move may lose changes`,
          'Set wal_level to replica there (infra/scale).',
        ),
  ];
};
