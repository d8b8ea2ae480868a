import { randomBytes } from 'node:crypto';
import type { ServiceName } from '@commonplace/contracts';
import pg from 'pg';

/** The migrated database that every test file starts from. */
export const templateDatabase = 'commonplace_template';

/** Passwords of the application roles in test servers; they never leave the machine. */
export const testPasswords = {
  auth: 'test-auth-database-password',
  agents: 'test-agents-database-password',
  notes: 'test-notes-database-password',
} as const;

/** Where the test run's PostgreSQL is; set by the global setup, inherited by every worker. */
export const adminUrlVariable = 'COMMONPLACE_TEST_ADMIN_URL';

export type TestDatabase = {
  /** Superuser URL of this file's own database. */
  readonly adminUrl: string;
  /** URL of a service's `<service>_app` role in it. */
  readonly appUrl: (service: ServiceName) => string;
  readonly drop: () => Promise<void>;
};

const serverUrl = (): URL => {
  // oxlint-disable-next-line node/no-process-env -- the only way Jest hands a value from its global setup to the workers
  const url = process.env[adminUrlVariable];
  if (!url) {
    throw new Error('No test PostgreSQL: run the tests with pnpm test or pnpm test:unit');
  }
  return new URL(url);
};

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl().href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Clones the template into a database of the test file's own (about 100 ms). Drop it in `afterAll`. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(`create database ${name} template ${templateDatabase}`);
  const adminUrl = serverUrl();
  adminUrl.pathname = `/${name}`;
  return {
    adminUrl: adminUrl.href,
    appUrl: (service) => {
      const url = new URL(adminUrl);
      url.username = `${service}_app`;
      url.password = testPasswords[service];
      return url.href;
    },
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
};
