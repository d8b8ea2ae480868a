import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runScript } from '../src/run-script.ts';

const services = ['auth', 'agents', 'notes'] as const;
type Service = (typeof services)[number];

const folderOf = (service: Service): string =>
  join(import.meta.dirname, '../../../services', service);

const newestOf = async (service: Service): Promise<string> =>
  (await readdir(join(folderOf(service), 'migrations'))).toSorted().at(-1)?.replace('.ts', '') ??
  '';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
});

const asAdministrator = async (sql: string, values: readonly unknown[]): Promise<void> => {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  await client.query(sql, [...values]);
  await client.end();
};

const secret = (name: string): string => `${name} of a test that never leaves the machine`;

/** Starts the process of a service; on a taken port it ends by itself once it has passed the check. */
const start = (service: Service) =>
  runScript(`services/${service}/src/main.ts`, [], {
    DATABASE_URL: database.appUrl(service),
    DEPLOYMENT_MODE: 'authenticated',
    HOST: 'no-such-host.invalid',
    PORT: '0',
    GATEWAY_URL: 'http://127.0.0.1:1',
    AUTH_URL: 'http://127.0.0.1:1',
    AGENTS_URL: 'http://127.0.0.1:1',
    ...Object.fromEntries(
      [
        'RUN_TOKEN_SECRETS',
        'INTERNAL_IDENTITY_SECRETS',
        'API_KEY_PEPPERS',
        'PASSWORD_PEPPERS',
        'SESSION_SECRETS',
      ].map((name) => [name, secret(name)]),
    ),
  });

describe.each(services)('the process of %s', (service) => {
  it('requires the newest migration', async () => {
    const { href } = pathToFileURL(join(folderOf(service), 'src/schema-needs.ts'));
    const { schemaNeeds } = (await import(href)) as { schemaNeeds: unknown };
    expect(schemaNeeds).toEqual({ service, newest: await newestOf(service) });
  });

  it('exits with 1 on a schema that is older than its code, and names the command to run', async () => {
    const newest = await newestOf(service);
    await asAdministrator(`delete from ${service}.knex_migrations where name = $1`, [newest]);
    const ended = await start(service);
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(`The schema ${service} is older than this code: ${newest}`);
    expect(ended.stderr).toMatch('pnpm migrate');
  }, 60_000);

  it('accepts a newer schema, unless a migration excludes older code', async () => {
    const insert = `insert into ${service}.knex_migrations (name, batch, migration_time) values ($1, 9, now())`;
    await asAdministrator(insert, ['9998_add_something']);
    const passed = await start(service);
    expect(passed.stderr).toMatch(/Cannot listen/);
    expect(passed.stderr).not.toMatch(/The schema/);
    await asAdministrator(insert, ['9999_drop_something_breaking']);
    const refused = await start(service);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/newer than this code .*9999_drop_something_breaking/);
  }, 60_000);
});
