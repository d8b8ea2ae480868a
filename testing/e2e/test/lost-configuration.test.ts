import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem, type RunningSystem, type SystemOptions } from '@commonplace/standalone';
import { createTestDatabase, testPasswords, type TestDatabase } from '@commonplace/testkit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi } from '../src/call-api.ts';
import { runAdmin } from '../src/run-script.ts';
import { signIn } from '../src/sign-in.ts';
import { administrator } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

/** A system in authenticated mode with a key and a password, whose secrets get lost in every way there is. */
let folder: string;
let database: TestDatabase;
let key: string;
let printed = '';
const systems: RunningSystem[] = [];

const rolePasswords = {
  AUTH_DATABASE_PASSWORD: testPasswords.auth,
  AGENTS_DATABASE_PASSWORD: testPasswords.agents,
  NOTES_DATABASE_PASSWORD: testPasswords.notes,
};

const start = async (options: Partial<SystemOptions>): Promise<RunningSystem> => {
  printed = '';
  const print = (text: string) => void (printed += `${text}\n`);
  const system = await startSystem({
    dataDir: join(folder, 'data'),
    databaseUrl: database.adminUrl,
    mode: 'authenticated',
    output: print,
    log: print,
    ...options,
    env: {
      ...rolePasswords,
      BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
      BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
      ...options.env,
    },
  });
  systems.push(system);
  return system;
};

/** Why the start was refused; a system that starts is an error of the test. */
const refusal = async (options: Partial<SystemOptions>): Promise<string> => {
  const system = await start(options).catch((error: unknown) => error as Error);
  if (system instanceof Error) {
    return system.message;
  }
  await system.stop();
  return 'it started';
};

const entriesIn = (message: string): string[] =>
  [...message.matchAll(/ACCEPT_CONFIGURATION=(\S+)/g)].map(([, entry = '']) => entry).toSorted();

const statusOfKey = async ({ baseUrl }: RunningSystem): Promise<number> =>
  (await createApi({ baseUrl, headers: bearer(key) })('GET', '/api/agents/me')).status;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-lost-'));
  database = await createTestDatabase();
  const system = await start({});
  const { baseUrl } = system;
  const board = createApi({ baseUrl, headers: await signIn({ baseUrl, ...administrator }) });
  ({ key } = await makeCompany(board, 'Kept', { baseUrl, withInvite: false }));
  await system.stop();
}, 180_000);

afterAll(async () => {
  await Promise.all(systems.map((system) => system.stop()));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

it('a new DATA_DIR with an existing DATABASE_URL is refused: other peppers, and a mode without authentication', async () => {
  const message = await refusal({ dataDir: join(folder, 'fresh'), mode: 'local_trusted' });
  expect(message).toMatch(/API_KEY_PEPPERS is not the one this database was last used with/);
  expect(message).toMatch(/PASSWORD_PEPPERS is not the one/);
  expect(message).toMatch(/DEPLOYMENT_MODE is not the one .*stored: authenticated/);
  expect(message).toMatch(/secrets\.json/);
  expect(entriesIn(message)).toEqual([
    expect.stringMatching(/^API_KEY_PEPPERS:[0-9a-f]{12}$/),
    'DEPLOYMENT_MODE:local_trusted',
    expect.stringMatching(/^PASSWORD_PEPPERS:[0-9a-f]{12}$/),
    expect.stringMatching(/^SECOND_FACTOR_SECRETS:[0-9a-f]{12}$/),
  ]);
  // Reported once, by the error that ends the start, and not retried.
  expect(printed).not.toMatch(/could not be started/);
}, 120_000);

it('a refused start changes nothing: the former configuration still works', async () => {
  const system = await start({});
  expect(await statusOfKey(system)).toBe(200);
  await system.stop();
}, 120_000);

it('a backup restored into a new database and DATA_DIR is refused, until the peppers are accepted by name', async () => {
  const backup = join(folder, 'monday.backup');
  const other = await createTestDatabase();
  const env = { ...rolePasswords, DATABASE_URL: database.adminUrl };
  expect(await runAdmin('backup', [backup], env)).toMatchObject({
    exitCode: 0,
  });
  const target = { ...rolePasswords, DATABASE_URL: other.adminUrl };
  expect(await runAdmin('restore', [backup, '--force'], target)).toMatchObject({
    exitCode: 0,
  });
  const options = { dataDir: join(folder, 'restored'), databaseUrl: other.adminUrl };
  const entries = entriesIn(await refusal(options));
  expect(entries.map((entry) => entry.split(':')[0])).toEqual([
    'API_KEY_PEPPERS',
    'PASSWORD_PEPPERS',
    'SECOND_FACTOR_SECRETS',
  ]);
  const wrong = {
    ACCEPT_CONFIGURATION: entries.map((entry) => `${entry.slice(0, -6)}000000`).join(','),
  };
  expect(entriesIn(await refusal({ ...options, env: wrong }))).toEqual(entries);
  const system = await start({ ...options, env: { ACCEPT_CONFIGURATION: entries.join(',') } });
  expect(await statusOfKey(system)).toBe(401);
  await system.stop();
  // From then on these are the ones, and what was accepted need not be set any more.
  await (await start(options)).stop();
  await other.drop();
}, 240_000);

it('deleted secrets are refused in an existing DATA_DIR too', async () => {
  await rm(join(folder, 'data', 'secrets.json'));
  expect(entriesIn(await refusal({})).map((entry) => entry.split(':')[0])).toEqual([
    'API_KEY_PEPPERS',
    'PASSWORD_PEPPERS',
    'SECOND_FACTOR_SECRETS',
  ]);
}, 120_000);
