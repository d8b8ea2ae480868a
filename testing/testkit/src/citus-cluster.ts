import pg from 'pg';

/** Names a database on the coordinator of a Citus cluster, with its workers added, that tests may use. */
export const citusVariable = 'CITUS_DATABASE_URL';

/** The URLs of the same database on every node of the cluster, the coordinator first. */
export const nodeUrls = async (coordinatorUrl: string): Promise<URL[]> => {
  const { rows } = await onNode(new URL(coordinatorUrl), (client) =>
    client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node
       where isactive and groupid <> 0 order by groupid`,
    ),
  );
  const workers = rows.map(({ host, port }) => {
    const url = new URL(coordinatorUrl);
    url.hostname = host;
    url.port = String(port);
    return url;
  });
  return [new URL(coordinatorUrl), ...workers];
};

/** Creates an empty database on every node and makes a cluster of them. */
export const createDistributedDatabase = async (
  nodes: readonly URL[],
  name: string,
): Promise<void> => {
  for (const node of nodes) {
    await onNode(node, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name}`);
    });
    await onNode(inDatabase(node, name), (client) => client.query('create extension citus'));
  }
  const [coordinator, ...workers] = nodes;
  if (coordinator === undefined || workers.length === 0) {
    throw new Error(`The database of ${citusVariable} has no workers`);
  }
  await onNode(inDatabase(coordinator, name), async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', addressOf(coordinator));
    for (const worker of workers) {
      await client.query('select citus_add_node($1, $2)', addressOf(worker));
    }
  });
};

/**
 * Makes a database a template: nothing connects to it any more. The nodes of a copy find each other, because every node
 * uses the name of its own database for the others.
 */
export const closeDatabase = async (nodes: readonly URL[], name: string): Promise<void> => {
  for (const node of nodes) {
    await onNode(node, async (client) => {
      await client.query(`alter database ${name} allow_connections false`);
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
    });
  }
};

/** Runs a statement in the given database of every node. */
export const onEveryNode = async (nodes: readonly URL[], statement: string): Promise<void> => {
  await Promise.all(nodes.map((node) => onNode(node, (client) => client.query(statement))));
};

/** The same server, another database. */
export const inDatabase = (node: URL, name: string): URL => {
  const url = new URL(node);
  url.pathname = `/${name}`;
  return url;
};

const addressOf = ({ hostname, port }: URL): [string, number] => [hostname, Number(port || 5432)];

const onNode = async <Result>(
  node: URL,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: node.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
