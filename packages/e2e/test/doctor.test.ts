import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { runScript } from '../src/run-script.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';

type Finding = { readonly check: string; readonly state: string; readonly detail: string };

let system: TestSystem;
const secretNames = [
  'RUN_TOKEN_SECRETS',
  'INTERNAL_IDENTITY_SECRETS',
  'API_KEY_PEPPERS',
  'PASSWORD_PEPPERS',
  'SESSION_SECRETS',
];
const secrets = Object.fromEntries(
  secretNames.map((name) => [name, `${name} that is long enough for anybody`]),
);

beforeAll(async () => {
  system = await startTestSystem('local_trusted', { env: secrets });
}, 120_000);
afterAll(() => system.stop());

const examine = async (env: Readonly<Record<string, string>>, url = system.baseUrl) => {
  const { exitCode, stdout } = await runScript(
    'packages/doctor/src/main.ts',
    ['--json', '--url', url],
    { DATABASE_URL: system.system.databaseUrl, DATA_DIR: '/nowhere', ...secrets, ...env },
  );
  const findings = JSON.parse(stdout) as Finding[];
  return { exitCode, failures: findings.filter(({ state }) => state === 'failure'), findings };
};

const asAdministrator = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: system.system.databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
};

it('finds nothing wrong with a good deployment, and looks at all of it', async () => {
  const { exitCode, failures, findings } = await examine({});
  expect(failures).toEqual([]);
  expect(exitCode).toBe(0);
  const ok = findings.filter(({ state }) => state === 'ok').map(({ check }) => check);
  expect(ok).toEqual(
    expect.arrayContaining(['Node', 'gateway', 'ready', 'secrets', 'PostgreSQL', 'roles']),
  );
}, 60_000);

it('says which secret is missing, short, an example or used twice, and never what it is', async () => {
  const { exitCode, failures } = await examine({
    RUN_TOKEN_SECRETS: 'short',
    SESSION_SECRETS: 'change-me-change-me-change-me-change-me',
    PASSWORD_PEPPERS: String(secrets['API_KEY_PEPPERS']),
    INTERNAL_IDENTITY_SECRETS: '',
  });
  expect(exitCode).toBe(1);
  const said = failures.map(({ detail }) => detail).join('; ');
  expect(said).toMatch(/RUN_TOKEN_SECRETS holds a secret of less than 32 bytes/);
  expect(said).toMatch(/SESSION_SECRETS holds an example/);
  expect(said).toMatch(/INTERNAL_IDENTITY_SECRETS has no value/);
  expect(said).toMatch(/one secret stands in two places/);
  expect(said).not.toMatch(/change-me/);
}, 60_000);

it('fails when nobody answers, and when what should be https is not', async () => {
  const away = await examine({ PUBLIC_URL: 'https://127.0.0.1:1' }, 'http://127.0.0.1:1');
  expect(away.exitCode).toBe(1);
  expect(away.failures.map(({ check }) => check)).toEqual(['gateway', 'TLS']);
}, 60_000);

it('finds a role that may too much, row-level security turned off, a migration not run', async () => {
  const [undo, seed] = [
    ['alter role notes_app nocreaterole', 'alter table notes.notes enable row level security'],
    [
      'alter role notes_app createrole',
      'alter table notes.notes disable row level security',
      "delete from auth.knex_migrations where name like '0004%'",
    ],
  ];
  for (const sql of seed) {
    await asAdministrator(sql);
  }
  try {
    const { failures } = await examine({});
    expect(failures.map(({ check }) => check)).toEqual([
      'roles',
      'row-level security',
      'schema auth',
    ]);
  } finally {
    for (const sql of undo) {
      await asAdministrator(sql);
    }
  }
}, 60_000);
