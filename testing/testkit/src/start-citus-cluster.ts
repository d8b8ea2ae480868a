import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServerUser } from '@commonplace/embedded-postgres';
import { citusVariable } from './citus-cluster.ts';
import { archiveSettings, backUpNode, type LocalBackup } from './local-backup.ts';
import { startLocalNode, type LocalNode, type Programs } from './local-node.ts';
import { startLocalStandby, type LocalStandby } from './local-standby.ts';
import { queryNode } from './query-node.ts';

/** A cluster of its own on this machine, whose nodes a test may kill and add to. */
export type CitusCluster = {
  /** Connects the superuser to the database `commonplace` of the coordinator. */
  readonly url: string;
  readonly coordinator: LocalNode;
  readonly workers: readonly LocalNode[];
  /** Starts another worker and adds it. It holds no shards of tenants yet. */
  readonly addWorker: () => Promise<LocalNode>;
  /** Gives the coordinator a synchronous standby. */
  readonly addStandby: () => Promise<LocalStandby>;
  /** Takes a base backup of each node. The cluster must be archived. */
  readonly backUp: () => Promise<ClusterBackup>;
  /** Runs a statement on the coordinator. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  readonly stop: () => Promise<void>;
};

/** Base backups of all nodes, beside the logs that they archive. */
export type ClusterBackup = {
  /** Replaces all nodes by what they were at a restore point (`citus_create_restore_point`). */
  readonly restore: (point: string) => Promise<void>;
};

export type CitusOptions = {
  readonly workers?: number;
  /** All nodes archive their logs. */
  readonly isArchived?: boolean;
  /** More settings of every node. */
  readonly settings?: Readonly<Record<string, string>>;
};

const database = 'commonplace';

/** Starts a coordinator and workers with the programs of the cluster that the environment names, on this machine. */
export const startCitusCluster = async ({
  workers = 2,
  isArchived = false,
  settings: wanted = {},
}: CitusOptions = {}): Promise<CitusCluster> => {
  const programs = await findCitusPrograms();
  const folder = await makeFolder();
  const nodes: LocalNode[] = [];
  const settings = { ...nodeSettings, ...(isArchived ? archiveSettings : {}), ...wanted };
  const home = (name: string) => ({ programs, folder: join(folder, name), settings });
  const startNode = async () => {
    const node = await startLocalNode(home(`node${nodes.length}`));
    nodes.push(node);
    await queryNode(node.url('postgres'), `create database ${database}`);
    await queryNode(node.url(database), 'create extension citus');
    return node;
  };
  const coordinator = await startNode();
  const url = coordinator.url(database);
  await queryNode(url, `select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port]);
  const addWorker = async () => {
    const node = await startNode();
    await queryNode(url, `select citus_add_node('127.0.0.1', $1)`, [node.port]);
    return node;
  };
  for (let count = 0; count < workers; count += 1) {
    await addWorker();
  }
  /** Those that take the places of the first ones. */
  const others: LocalNode[] = [];
  const started = (node: LocalNode) => others.push(node);
  return {
    url,
    coordinator,
    get workers() {
      return nodes.slice(1);
    },
    addWorker,
    addStandby: () => startLocalStandby(coordinator, home('standby'), started),
    backUp: () =>
      backUpAll(nodes, (node, index) => backUpNode(node, home(`node${index}`), started)),
    sql: (text, values) => queryNode(url, text, values),
    stop: async () => {
      await Promise.all([...nodes, ...others].map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const backUpAll = async (
  nodes: readonly LocalNode[],
  backUp: (node: LocalNode, index: number) => Promise<LocalBackup>,
): Promise<ClusterBackup> => {
  const backups = await Promise.all(nodes.map(backUp));
  return {
    restore: async (point) => {
      await Promise.all(backups.map(({ archive }) => archive()));
      await Promise.all(nodes.map((node) => node.kill()));
      await Promise.all(backups.map(({ restore }) => restore(point)));
    },
  };
};

/** A single PostgreSQL with the same programs, which is in no cluster. */
export const startPlainNode = async (): Promise<Pick<CitusCluster, 'url' | 'stop'>> => {
  const folder = await makeFolder();
  const node = await startLocalNode({
    programs: await findCitusPrograms(),
    folder: join(folder, 'node'),
    settings: { max_connections: '200' },
  });
  await queryNode(node.url('postgres'), `create database ${database}`);
  return {
    url: node.url(database),
    stop: async () => {
      await node.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The user of PostgreSQL has to reach the data directories below it. */
const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-citus-'));
  await chmod(folder, 0o711);
  return folder;
};

/** The level of the log is that of infra/scale; two-phase commits need prepared transactions. */
const nodeSettings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '400',
  'citus.enable_statistics_collection': 'off',
  'citus.local_hostname': '127.0.0.1',
};

/** Where the programs of the named cluster are. They must be on this machine. */
const findCitusPrograms = async (): Promise<Programs> => {
  const url = namedCluster();
  if (url === undefined) {
    throw new Error(`${citusVariable} names no Citus cluster`);
  }
  const [row] = await queryNode(url, `select setting from pg_config where name = 'BINDIR'`);
  return { folder: String(row?.['setting']), user: await findServerUser('/nonexistent') };
};

// oxlint-disable-next-line node/no-process-env -- how the command of the tests names a cluster
const namedCluster = (): string | undefined => process.env[citusVariable];

/** Null means the environment names a cluster. Otherwise why there is none. */
export const whyNoCluster = (): string | null =>
  namedCluster() === undefined ? `${citusVariable} names no Citus cluster` : null;
