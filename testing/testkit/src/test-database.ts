import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@commonplace/contracts';
import pg from 'pg';
import { inDatabase } from './citus-cluster.ts';

/** The migrated database that every test file starts from. */
export const templateDatabase = 'commonplace_template';

/** Passwords of the application roles in test servers; they never leave the machine. */
export const testPasswords = {
  auth: 'test-auth-database-password',
  agents: 'test-agents-database-password',
  notes: 'test-notes-database-password',
} as const;

/** The settings of a system that uses such a server. */
export const testPasswordVariables = {
  AUTH_DATABASE_PASSWORD: testPasswords.auth,
  AGENTS_DATABASE_PASSWORD: testPasswords.agents,
  NOTES_DATABASE_PASSWORD: testPasswords.notes,
} as const;

/** Where the nodes of the test run's PostgreSQL are; set by the global setup, inherited by every worker. */
export const adminUrlsVariable = 'COMMONPLACE_TEST_ADMIN_URLS';

/** Whether the tests run on a Citus cluster. */
export const isCitusRun = (): boolean => serverUrls().length > 1;

export type TestDatabase = {
  /** Superuser URL of this file's own database. */
  readonly adminUrl: string;
  /** URL of a service's `<service>_app` role in it. */
  readonly appUrl: (service: ServiceName) => string;
  /** Whether the server is the coordinator of a Citus cluster. */
  readonly isCitus: boolean;
  readonly drop: () => Promise<void>;
};

const serverUrls = (): URL[] => {
  // oxlint-disable-next-line node/no-process-env -- the only channel from Jest's global setup to the workers
  const urls = process.env[adminUrlsVariable];
  if (!urls) {
    throw new Error('No test PostgreSQL: run the tests with pnpm test or pnpm test:unit');
  }
  return urls.split(' ').map((url) => new URL(url));
};

const onServer = async <Result>(
  url: URL,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const goodbyeMaxMs = 2_000;
const dropMaxMs = 20_000;

/**
 * A pool ends shortly before PostgreSQL has closed its connections. Terminating a connection in that
 * window would throw in the next test, so they get time to close; leaked ones are terminated.
 */
const dropDatabase = (url: URL, name: string): Promise<void> =>
  onServer(url, async (client) => {
    const giveUpAt = Date.now() + dropMaxMs;
    const disconnectAt = Date.now() + goodbyeMaxMs;
    const isInUse = async () => (await client.query(connectionsOfTests, [name])).rowCount;
    while ((await isInUse()) && Date.now() < disconnectAt) {
      await sleep(10);
    }
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) {
      return;
    }
    if (isCitusRun()) {
      await rollBackPrepared(client, inDatabase(url, name));
    }
    // Citus connects to every database by itself, and again after it was disconnected.
    await client.query(`alter database ${name} allow_connections false`);
    for (;;) {
      try {
        await client.query(`drop database if exists ${name} with (force)`);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== objectInUse || Date.now() > giveUpAt) {
          throw error;
        }
        await sleep(100);
      }
    }
  });

/** On Citus a process that was killed leaves them: the recovery comes later, and not without the coordinator's database. */
const rollBackPrepared = async (client: pg.Client, database: URL): Promise<void> => {
  const { rows } = await client.query<{ gid: string }>(
    'select gid from pg_prepared_xacts where database = $1',
    [database.pathname.slice(1)],
  );
  if (rows.length > 0) {
    await onServer(database, async (own) => {
      for (const { gid } of rows) {
        await own.query(`rollback prepared ${pg.escapeLiteral(gid)}`);
      }
    });
  }
};

const objectInUse = '55006';

/** Not those that Citus keeps. */
const connectionsOfTests = `
  select from pg_stat_activity
  where datname = $1 and application_name not like '%Citus%' and application_name not like 'citus%'`;

/** Clones the template into a database of the test file's own (about 100 ms). Drop it in `afterAll`. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const servers = serverUrls();
  const [adminUrl] = servers.map((url) => inDatabase(url, name));
  for (const server of servers) {
    await onServer(server, (client) =>
      client.query(`create database ${name} template ${templateDatabase}`),
    );
  }
  return {
    adminUrl: (adminUrl as URL).href,
    appUrl: (service) => {
      const url = new URL(adminUrl as URL);
      url.username = `${service}_app`;
      url.password = testPasswords[service];
      return url.href;
    },
    isCitus: isCitusRun(),
    drop: async () => {
      for (const server of servers) {
        await dropDatabase(server, name);
      }
    },
  };
};
