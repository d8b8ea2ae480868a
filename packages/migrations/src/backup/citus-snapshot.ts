import pg from 'pg';

/** Longest wait for writes in progress, while later ones queue. */
const waitMaxMs = 20_000;

/**
 * Runs `takeSnapshots` while no write of two nodes of a Citus cluster is in progress: each node has a snapshot of its
 * own, and between the commits of two nodes they would not fit together. Writes wait meanwhile.
 */
export const whileNothingIsWritten = async (
  adminUrl: string,
  takeSnapshots: () => Promise<void>,
): Promise<void> => {
  const holder = new pg.Client({ connectionString: adminUrl });
  holder.on('error', () => undefined);
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(`set local lock_timeout = ${waitMaxMs}`);
    for (const statement of locks) {
      await holder.query(statement);
    }
    await takeSnapshots();
    await holder.query('rollback');
  } finally {
    await holder.end();
  }
};

/**
 * Every write of notes first locks the row of its feed. What agents writes in two places, a tenant table and a global
 * one, writes one of these global tables.
 */
const locks = [
  'lock table agents.entity_owners, agents.key_digests, agents.invite_digests in exclusive mode',
  'lock table notes.company_feed in exclusive mode',
];

/** Makes the transaction use one connection for each node and role, and with it one snapshot. */
export const readEachNodeOnce = 'set local citus.max_adaptive_executor_pool_size = 1';

/** One statement for each role that reads all nodes, and so begins the transaction there. */
export const snapshots = [
  { role: 'agents_owner', statement: 'select count(*) from agents.companies' },
  { role: 'notes_owner', statement: 'select count(*) from notes.company_feed' },
] as const;
