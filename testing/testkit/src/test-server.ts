import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { migrateAll } from '@commonplace/migrations';
import { startPostgres, type RunningPostgres } from '@commonplace/embedded-postgres';
import pg from 'pg';
import {
  citusVariable,
  closeDatabase,
  createDistributedDatabase,
  inDatabase,
  nodeUrls,
  onEveryNode,
} from './citus-cluster.ts';
import { makeOwnDirectory } from './own-directory.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';
import { templateDatabase, testPasswords } from './test-database.ts';

const migrateTemplate = async (url: string): Promise<void> => {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${templateDatabase}`;
  await migrateAll({ adminUrl: template.href, passwords: testPasswords });
};

/** Creates the template on every node of the cluster that the tests were given. */
const useCluster = async (coordinatorUrl: string): Promise<TestServer> => {
  const nodes = await nodeUrls(coordinatorUrl);
  await createDistributedDatabase(nodes, templateDatabase);
  const template = inDatabase(new URL(coordinatorUrl), templateDatabase);
  await migrateAll({ adminUrl: template.href, passwords: testPasswords });
  await closeDatabase(nodes, templateDatabase);
  return {
    adminUrls: nodes.map(({ href }) => href),
    stop: () => onEveryNode(nodes, `drop database if exists ${templateDatabase} with (force)`),
  };
};

export type TestServer = {
  /** The nodes, the coordinator first; one, unless it is a cluster. */
  readonly adminUrls: readonly string[];
  readonly stop: () => Promise<void>;
};

/**
 * Starts a temporary PostgreSQL with a migrated template database that test files clone, or uses the Citus cluster that
 * the environment names.
 */
export const startTestServer = async (): Promise<TestServer> => {
  // oxlint-disable-next-line node/no-process-env -- how the command of the tests names a cluster
  const cluster = process.env[citusVariable];
  if (cluster !== undefined) {
    return useCluster(cluster);
  }
  await sweepLeftovers(tmpdir());
  const dataDir = await makeOwnDirectory();
  const server: RunningPostgres = await startPostgres({
    dataDir,
    fsync: false,
    settings: { max_connections: '400', shared_buffers: '64MB' },
  });
  await migrateTemplate(server.url);
  return {
    adminUrls: [server.url],
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
      // Of workers that Jest killed.
      await sweepLeftovers(tmpdir());
    },
  };
};
