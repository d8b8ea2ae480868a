import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@commonplace/standalone';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { makeCertificate } from '../src/make-certificate.ts';
import { runAdmin } from '../src/run-script.ts';
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
  const { exitCode, stdout } = await runAdmin('doctor', ['--json', '--url', url], {
    DATABASE_URL: system.system.databaseUrl,
    DATA_DIR: '/nowhere',
    ...secrets,
    ...env,
  });
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
    expect.arrayContaining([
      'Node',
      'gateway',
      'ready',
      'secrets',
      'connect',
      'PostgreSQL',
      'roles',
    ]),
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
  expect(said).toMatch(/RUN_TOKEN_SECRETS has a secret of less than 32 bytes/);
  expect(said).toMatch(/SESSION_SECRETS has an example/);
  expect(said).toMatch(/INTERNAL_IDENTITY_SECRETS has no value/);
  expect(said).toMatch(/one secret is used in two places/);
  expect(said).not.toMatch(/change-me/);
}, 60_000);

it('fails when nobody responses, and when what should be https is not', async () => {
  const plain = system.baseUrl.replace('http:', 'https:');
  const away = await examine({ PUBLIC_URL: plain }, 'http://127.0.0.1:1');
  expect(away.exitCode).toBe(1);
  expect(away.failures.map(({ check }) => check)).toEqual(['gateway', 'TLS']);
}, 60_000);

it('fails when hosts would find an OAuth server of another address', async () => {
  const { port } = new URL(system.baseUrl);
  const { failures } = await examine({ PUBLIC_URL: `http://localhost:${port}` });
  expect(failures.filter(({ check }) => check === 'connect').map(({ detail }) => detail)).toEqual([
    `the OAuth server calls itself "${system.baseUrl}/connect/mcp", hosts reach it at http://localhost:${port}`,
  ]);
}, 60_000);

it('fails when a proxy keeps a document of OAuth from hosts, or requires a sign-in of its own', async () => {
  let origin = '';
  const own: Readonly<Record<string, { status: number; challenge?: string }>> = {
    '/.well-known/openid-configuration/connect': { status: 404 },
    '/connect/mcp': { status: 401, challenge: 'Basic realm="proxy"' },
  };
  const proxy = createServer((req, res) => {
    const found = own[req.url ?? ''];
    const pass = async () => {
      const response = await fetch(`${system.baseUrl}${req.url}`);
      const text = await response.text();
      res.writeHead(response.status, { 'content-type': 'application/json' });
      res.end(text.replaceAll(system.baseUrl, origin));
    };
    if (found) {
      const { status, challenge } = found;
      res.writeHead(status, challenge ? { 'www-authenticate': challenge } : {}).end();
    } else {
      void pass();
    }
  });
  try {
    origin = `http://127.0.0.1:${await listen(proxy)}`;
    const { failures } = await examine({ PUBLIC_URL: origin });
    expect(failures.filter(({ check }) => check === 'connect').map(({ detail }) => detail)).toEqual(
      [
        'hosts do not find /.well-known/openid-configuration/connect',
        `${origin}/connect/mcp does not say where hosts get a token: Basic realm="proxy"`,
      ],
    );
  } finally {
    proxy.close();
  }
}, 60_000);

it('looks into the embedded PostgreSQL of pnpm start, and before the first start advises nothing for docker-compose', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-doctor-'));
  await chmod(dataDir, 0o711);
  const look = async (url: string) => {
    const { stdout } = await runAdmin('doctor', ['--json', '--url', url], {
      DATA_DIR: dataDir,
    });
    return JSON.parse(stdout) as Finding[];
  };
  const before = await look('http://127.0.0.1:1');
  const stateOf = (name: string) => before.find(({ check }) => check === name)?.state;
  expect([stateOf('secrets'), stateOf('database')]).toEqual(['skipped', 'skipped']);
  const failures = before.filter(({ state }) => state === 'failure');
  expect(failures.map(({ check }) => check)).toEqual(['gateway']);
  expect(JSON.stringify(before)).not.toMatch(/pnpm secrets|DATABASE_URL/);
  const running = await startSystem({ dataDir, output: () => undefined, fsync: false });
  try {
    const during = await look(running.baseUrl);
    expect(during.filter(({ state }) => state === 'failure')).toEqual([]);
    const fine = during.filter(({ state }) => state === 'ok').map(({ check }) => check);
    expect(fine).toEqual(
      expect.arrayContaining(['secrets', 'PostgreSQL', 'roles', 'schema notes']),
    );
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 120_000);

describe('with files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-doctor-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const blank = Object.fromEntries(secretNames.map((name) => [name, '']));

  it('reads the secrets that NAME_FILE names, and reports unreadable and duplicate ones', async () => {
    const path = join(folder, 'sessions');
    await writeFile(path, `${secrets['SESSION_SECRETS']}\n`);
    const good = await examine({ SESSION_SECRETS: '', SESSION_SECRETS_FILE: path });
    expect(good.failures).toEqual([]);
    const twice = await examine({ SESSION_SECRETS_FILE: path });
    expect(twice.failures.map(({ detail }) => detail)).toEqual([
      'SESSION_SECRETS and SESSION_SECRETS_FILE are both set',
    ]);
    const away = await examine({ SESSION_SECRETS: '', SESSION_SECRETS_FILE: `${path}.not` });
    expect(away.findings).toContainEqual(
      expect.objectContaining({
        state: 'warning',
        detail: `SESSION_SECRETS_FILE: ${path}.not cannot be read from here`,
      }),
    );
  }, 120_000);

  it('accepts the .env that pnpm secrets writes for docker-compose', async () => {
    const path = join(folder, 'env');
    const made = await runAdmin('secrets', [path], {});
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = await runAdmin(
      'doctor',
      ['--json', '--env-file', path, '--url', system.baseUrl],
      {},
    );
    const findings = JSON.parse(stdout) as Finding[];
    expect(findings.filter(({ state }) => state === 'failure')).toEqual([]);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'secrets', state: 'ok' }));
    expect(stdout).not.toContain(/^SESSION_SECRETS=(.+)$/m.exec(await readFile(path, 'utf8'))?.[1]);
  }, 60_000);

  it('pnpm secrets adds the lists that a newer release needs to an .env, and changes nothing else', async () => {
    const path = join(folder, 'old-env');
    const file = join(folder, 'peppers');
    const old = `# mine\nPORT=9000\nSESSION_SECRETS=kept\nIMAGE_TAG=latest\nAPI_KEY_PEPPERS_FILE=${file}\nPASSWORD_PEPPERS=`;
    await writeFile(path, old, { mode: 0o640 });
    const made = await runAdmin('secrets', [path], {});
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const text = await readFile(path, 'utf8');
    expect(text.startsWith(`${old}\n`)).toBe(true);
    const added = text
      .slice(old.length + 1)
      .trim()
      .split('\n');
    expect(added.map((line) => line.replace(/[0-9a-f]{64}$/, '')).toSorted()).toEqual([
      'INTERNAL_IDENTITY_SECRETS=',
      'RUN_TOKEN_SECRETS=',
      'SECOND_FACTOR_SECRETS=',
    ]);
    await runAdmin('secrets', [path], {});
    expect(await readFile(path, 'utf8')).toBe(text);
  }, 60_000);

  it('without the settings of its deployment, the doctor of the image says nothing but that', async () => {
    const { exitCode, stdout } = await runAdmin('doctor', ['--json'], {
      SERVICE: 'packages/admin',
      DATABASE_URL: system.system.databaseUrl,
      DATA_DIR: '/nowhere',
    });
    expect(exitCode).toBe(1);
    expect((JSON.parse(stdout) as Finding[]).map(({ check }) => check)).toEqual(['settings']);
  }, 60_000);

  it('reports a bootstrap password that auth would refuse', async () => {
    const { failures } = await examine({ BOOTSTRAP_OPERATOR_PASSWORD: 'too short' });
    expect(failures.map(({ detail }) => detail)).toEqual([
      'BOOTSTRAP_OPERATOR_PASSWORD has 9 characters, so auth does not start',
    ]);
  }, 60_000);

  it('reports an untrusted certificate, and one that expires soon', async () => {
    await makeCertificate(folder, 'localhost');
    const certificate = join(folder, 'certificate.pem');
    const server = createTlsServer({
      cert: await readFile(certificate),
      key: await readFile(join(folder, 'key.pem')),
    });
    const PUBLIC_URL = `https://localhost:${await listen(server)}`;
    try {
      const foreign = await examine({ PUBLIC_URL });
      expect(foreign.failures.map(({ check }) => check)).toEqual(['TLS']);
      expect(foreign.failures[0]?.detail).toMatch(/self-signed/);
      const { findings } = await examine({ PUBLIC_URL, NODE_EXTRA_CA_CERTS: certificate });
      expect(findings).toContainEqual(
        expect.objectContaining({
          check: 'TLS',
          state: 'warning',
          detail: 'the certificate expires in 1 days',
        }),
      );
      expect(findings.map(({ check }) => check)).toContain('TRUST_PROXY');
    } finally {
      server.close();
    }
  }, 120_000);

  it('reports that no secret has a value', async () => {
    const { failures } = await examine(blank);
    expect(failures.map(({ detail }) => detail)).toEqual(
      secretNames.map((name) => `${name} has no value`),
    );
  }, 60_000);
});

it('names the service that is not ready, and a clock that is wrong', async () => {
  const server = createServer(lateGateway);
  try {
    const url = `http://127.0.0.1:${await listen(server)}`;
    const { findings } = await examine({ NOTES_URL: `${url}, http://127.0.0.1:1` }, url);
    for (const { check, state } of [
      { check: 'notes', state: 'warning' },
      { check: 'clock of notes', state: 'failure' },
      { check: 'notes', state: 'failure' },
    ]) {
      expect(findings).toContainEqual(expect.objectContaining({ check, state }));
    }
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'ready',
        state: 'failure',
        detail: 'auth is ready, notes is unavailable',
      }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'clock of the gateway', state: 'warning' }),
    );
  } finally {
    server.close();
  }
}, 60_000);

it('warns when the disk of the data is full', async () => {
  // The file system of /proc has no room at all.
  const { findings } = await examine({ DATA_DIR: '/proc' });
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'disk', state: 'warning', detail: '0 GB free' }),
  );
}, 60_000);

// The last one: it leaves a migration missing.
it('finds a role that may too much, row-level security turned off, a migration not run', async () => {
  const [undo, seed] = [
    ['alter role notes_app nocreaterole', 'alter table notes.notes enable row level security'],
    [
      'alter role notes_app createrole',
      'alter table notes.notes disable row level security',
      "delete from auth.knex_migrations where name like '0005%'",
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

/** A gateway ten minutes late, without a notes service. */
const lateGateway: RequestListener = (req, res) => {
  res.setHeader('Date', new Date(Date.now() - 600_000).toUTCString());
  const services = { auth: 'ok', notes: 'unavailable' };
  res.writeHead(req.url === '/readyz' ? 503 : 200).end(JSON.stringify({ services }));
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, () => resolve((server.address() as AddressInfo).port));
  });
