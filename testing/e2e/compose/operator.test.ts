import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { connectByScript } from '../src/connect-by-script.ts';
import { startLoad, type Load } from '../src/load.ts';
import { makeCertificate } from '../src/make-certificate.ts';
import { missingNotes } from '../src/missing-notes.ts';
import { ping } from '../src/repeat-request.ts';
import { sendOverTls } from '../src/send-over-tls.ts';
import { signIn } from '../src/sign-in.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';
import { composeOf, containersOf, mustRun, type Compose } from './compose.ts';
import { explain, followLogs, isOutOfTime } from './failure-causes.ts';
import { describeFigures } from './figures.ts';
import { makeOperatorFolder, type OperatorFolder } from './operator-folder.ts';
import { previousTree } from './previous-tree.ts';
import { untilReady } from './until-ready.ts';

/*
 * An operator follows the pages word for word, with one deployment: the release before, its upgrade under load, back and
 * forth, scaling, backups, another password of the database, several gateways. The tests build on each other.
 */
const administrator = { email: 'board@example.org', password: 'seven grey herons waiting' };
const name = 'commonplace-operator';
const figures = new Map<string, string>();
const acknowledged: string[] = [];
let operator: OperatorFolder;
let compose: Compose;
let baseUrl: string;
let company: CompanyWorld;
let agent: Api;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Runs work under load; the failures that its clients saw. */
const underLoad = async (title: string, work: () => Promise<unknown>, options = {}) => {
  const logs = await followLogs(compose);
  const load = startLoad({ baseUrl, key: company.key, ...options });
  const startedAtMs = performance.now();
  try {
    await work();
  } finally {
    await load.stop();
  }
  acknowledged.push(...load.acknowledged);
  const failures = (await explain(compose, load.failures, logs)).filter(
    (each) => !isOutOfTime(each),
  );
  const responses = failures.filter(({ outcome }) => typeof outcome === 'number');
  figures.set(
    title,
    `${seconds(performance.now() - startedAtMs)}, ${load.acknowledged.length} notes written, ${responses.length} requests failed, ` +
      `${failures.length - responses.length} connections failed, no success for ${seconds(load.longestSilenceMs())}`,
  );
  return { failures, responses };
};

/** What failed, without the 503 that an outage may cause. */
const unlike503 = (failures: Load['failures']): unknown[] =>
  failures.filter(
    ({ outcome, retryAfter }) =>
      typeof outcome === 'number' && (outcome !== 503 || retryAfter === undefined),
  );

/** The tags of the images that the containers of our services run. */
const runningTags = async (): Promise<string[]> => {
  const ids = (await compose('ps', '-q', 'auth', 'agents', 'notes', 'gateway')).split('\n');
  const images = await mustRun('docker', ['inspect', '--format', '{{.Config.Image}}', ...ids]);
  return [...new Set(images.split('\n').map((image) => image.split(':')[1] ?? ''))];
};

/** Where the first gateway listens: a replaced container may take another port of the range. */
const addressOfGateway = async (): Promise<string> => {
  const [id = ''] = await containersOf(compose, 'gateway');
  const [, address = ''] = (await mustRun('docker', ['port', id])).match(/-> (127\S+)/) ?? [];
  return `http://${address}`;
};

const countOf = async (service: string): Promise<number> =>
  (await containersOf(compose, service)).length;

/** The certificate of nginx, which every later command of docker-compose names. */
let tlsFolder: string | null = null;

beforeAll(async () => {
  const port = await findFreePort();
  baseUrl = `http://127.0.0.1:${port}`;
  operator = await makeOperatorFolder({
    COMPOSE_PROJECT_NAME: name,
    IMAGE_PREFIX: 'commonplace-test',
    IMAGE_TAG: 'before',
    PORT: String(port),
    BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
    BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
    RATE_LIMIT_PER_SECOND: '0',
  });
  const { folder, envFile } = operator;
  compose = await composeOf({ name, folder, envFile, env: {} });
  // Without its history the drills go from this release to itself.
  const before = (await previousTree()) ?? folder;
  const composeBefore = await composeOf({ name, folder: before, envFile, env: {} });
  await composeBefore('build');
  await composeBefore('up', '-d');
  await untilReady(baseUrl);
  if (before !== folder) {
    await rm(before, { recursive: true });
  }
  const board = createApi({ baseUrl, headers: await signIn({ baseUrl, ...administrator }) });
  company = await makeCompany(board, 'Elder', { baseUrl, withInvite: true });
  agent = createApi({ baseUrl, headers: bearer(company.key) });
}, 900_000);

afterAll(async () => {
  const down = () => compose('down', '--volumes', '--remove-orphans', '--timeout', '5');
  // A container that a command has just removed may still be in its network for a moment.
  await down().catch(down);
  await operator.remove();
  if (tlsFolder !== null) {
    await rm(tlsFolder, { recursive: true });
  }
  process.stderr.write(describeFigures(figures));
}, 300_000);

it('upgrades from the release before: no request fails, and only the one gateway refuses connections', async () => {
  const { responses } = await underLoad('rolling upgrade', () =>
    operator.follow(/replace-containers/),
  );
  expect(responses).toEqual([]);
  const tag = await operator.setting('IMAGE_TAG');
  expect(tag).not.toBe('before');
  expect(await runningTags()).toEqual([tag]);
  expect(await missingNotes(agent, acknowledged)).toEqual([]);
}, 900_000);

it('goes back to the release before, with the notes that were written since', async () => {
  const newer = await operator.setting('IMAGE_TAG');
  const { failures } = await underLoad('rollback', async () => {
    await operator.follow(/grep '\^IMAGE_TAG='/);
    await untilReady(baseUrl);
  });
  expect(unlike503(failures)).toEqual([]);
  expect(await runningTags()).toEqual(['before']);
  expect(await missingNotes(agent, acknowledged)).toEqual([]);
  await operator.set({ IMAGE_TAG: `never-built-${process.pid}` });
  await expect(operator.shell('docker-compose up -d --no-build')).rejects.toThrow(
    /never-built|needs to be built/,
  );
  await operator.set({ IMAGE_TAG: newer });
  await operator.follow(/set PUBLIC_URL and the first operator in it\ndocker-compose up -d\n/);
  await operator.follow(/with fresh secrets; set PUBLIC_URL/);
  await untilReady(baseUrl);
  expect(await runningTags()).toEqual([newer]);
}, 600_000);

it('the doctor has the settings of all containers, and visits each', async () => {
  const said = await operator.follow(/run --rm doctor/);
  expect(said).not.toMatch(/FAIL|none yet/);
  for (const each of ['gateway', 'auth', 'agents', 'notes']) {
    expect(said).toMatch(new RegExp(`^ok {4}clock of ${each}: [0-2] s off$`, 'm'));
  }
  expect(said).toMatch(/^ok {4}secrets: 6 lists/m);
  expect(said).toMatch(/^ok {4}schema notes/m);
  expect(said).toMatch(/^ok {4}release: the images have the tag /m);
  // In any other container it says that it cannot know.
  const elsewhere = 'docker-compose run --rm migrate node packages/admin/src/main.ts doctor';
  await expect(operator.shell(elsewhere)).rejects.toThrow(/FAIL {2}settings/);
  await operator.set({ BOOTSTRAP_OPERATOR_PASSWORD: 'too short' });
  await expect(operator.shell('docker-compose run --rm doctor')).rejects.toThrow(
    /BOOTSTRAP_OPERATOR_PASSWORD has 9 characters, so auth does not start/,
  );
  await operator.set({ BOOTSTRAP_OPERATOR_PASSWORD: administrator.password });
}, 300_000);

it('a first start has no error in its logs, nor a stack', async () => {
  const logs = await compose('logs', '--no-color', 'auth');
  const lines = logs.split('\n').filter((line) => /"level":"(?:error|fatal)"|"stack"/.test(line));
  const since = lines.filter((line) => !/terminat|ECONNREFUSED|shut/.test(line));
  expect(since).toEqual([]);
}, 60_000);

it('keeps the replicas of .env', async () => {
  await operator.follow(/NOTES_REPLICAS/);
  expect(await countOf('notes')).toBe(3);
  await operator.shell('docker-compose up -d');
  expect([await countOf('notes'), await countOf('agents'), await countOf('auth')]).toEqual([
    3, 2, 2,
  ]);
  await operator.set({ NOTES_REPLICAS: '1', AGENTS_REPLICAS: '1', AUTH_REPLICAS: '1' });
  await operator.shell('docker-compose up -d');
  expect(await countOf('notes')).toBe(1);
}, 300_000);

it('backs up to a verified file, and restores it', async () => {
  expect(await operator.follow(/ backup \/backups/)).toMatch(/written and verified/);
  await operator.follow(/ restore \/backups/);
  await untilReady(baseUrl);
  expect(await missingNotes(agent, acknowledged)).toEqual([]);
}, 300_000);

it('takes another password of the database', async () => {
  const before = await operator.setting('POSTGRES_PASSWORD');
  await operator.follow(/alter role postgres/);
  expect(await operator.setting('POSTGRES_PASSWORD')).not.toBe(before);
  await untilReady(baseUrl);
  expect(await operator.shell('docker-compose run --rm doctor')).toMatch(/^ok {4}PostgreSQL/m);
}, 300_000);

it('runs several gateways behind nginx, and replaces all: no request fails, and nginx closes only idle connections', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-tls-'));
  tlsFolder = folder;
  await chmod(folder, 0o755);
  const ca = await makeCertificate(folder, 'notes.example.org');
  await chmod(join(folder, 'key.pem'), 0o644);
  const port = await findFreePort();
  const gatewayPort = Number(new URL(baseUrl).port);
  await operator.set({
    PUBLIC_URL: `https://notes.example.org:${port}`,
    TRUST_PROXY: '172.16.0.0/12,192.168.0.0/16',
    GATEWAY_REPLICAS: '2',
    PORT_RANGE_END: `-${gatewayPort + 4}`,
    TLS_CERTIFICATE_FILE: join(folder, 'certificate.pem'),
    TLS_KEY_FILE: join(folder, 'key.pem'),
    TLS_HOST: '127.0.0.1',
    TLS_PORT: String(port),
  });
  await operator.follow(/docker-compose\.proxy\.yml up -d/);
  await operator.set({ COMPOSE_FILE: 'docker-compose.yml:infra/nginx/docker-compose.proxy.yml' });
  expect(await countOf('gateway')).toBe(2);
  const [proxy = ''] = (await operator.shell('docker-compose ps -q proxy')).split('\n');
  await until('nginx is healthy', async () =>
    /healthy/.test(await mustRun('docker', ['inspect', '-f', '{{.State.Health.Status}}', proxy])),
  );
  const through = {
    baseUrl: `https://127.0.0.1:${port}`,
    tls: { ca, servername: 'notes.example.org' },
  };
  const { failures } = await underLoad(
    'replacing all containers behind nginx',
    () => operator.shell('infra/docker/replace-containers'),
    through,
  );
  // When nginx learns of other gateways it closes idle connections; a request may be on its way on one of them.
  expect(failures.filter(({ outcome, isFirst }) => typeof outcome === 'number' || isFirst)).toEqual(
    [],
  );
  const reader = createApi({
    baseUrl: await addressOfGateway(),
    headers: bearer(company.key),
  });
  expect(await missingNotes(reader, acknowledged)).toEqual([]);
  expect(await countOf('gateway')).toBe(2);
  const states = await operator.shell('docker-compose ps');
  expect(states).not.toMatch(/Exit (?!0)/);
}, 600_000);

it('a host connects by OAuth behind nginx, at the public address', async () => {
  const origin = await operator.setting('PUBLIC_URL');
  const { hostname: hostName, port } = new URL(origin);
  const ca = await readFile(join(String(tlsFolder), 'certificate.pem'), 'utf8');
  const send = sendOverTls({ port: Number(port), hostName, ca });
  const json = { 'content-type': 'application/json' };
  const asPage = { origin, 'sec-fetch-site': 'same-origin' };
  const signedIn = await send('/api/auth/login', {
    method: 'POST',
    headers: { ...asPage, ...json },
    body: JSON.stringify(administrator),
  });
  const [session = ''] = signedIn.headers.getSetCookie();
  expect([signedIn.status, session]).toEqual([200, expect.stringMatching(/^__Host-.*Secure/)]);
  const challenge = (await send('/connect/mcp', { method: 'POST' })).headers.get(
    'www-authenticate',
  );
  const metadata = `${origin}/.well-known/oauth-protected-resource/connect/mcp`;
  expect(challenge).toContain(`resource_metadata="${metadata}"`);
  const { companyId, agentId } = company;
  const headers = { ...asPage, cookie: session.split(';')[0] ?? '' };
  const { tokens } = await connectByScript(send, { headers, companyId, agentId, origin });
  const called = await send('/connect/mcp', {
    method: 'POST',
    headers: { ...json, ...bearer(tokens.access_token), accept: 'application/json' },
    body: JSON.stringify(ping),
  });
  expect([called.status, JSON.parse(called.text)]).toEqual([
    200,
    { jsonrpc: '2.0', id: 1, result: {} },
  ]);
  const logs = await compose('logs', '--no-color', 'proxy', 'gateway', 'auth', 'agents');
  expect(logs).not.toContain(tokens.access_token);
  expect(logs).not.toContain(tokens.refresh_token);
}, 120_000);

it('a service whose clock is off is named: 503, not ready, and a failure of the doctor', async () => {
  const file = join(operator.folder, 'clock.mjs');
  await writeFile(file, clockAhead);
  await writeFile(
    join(operator.folder, 'clock.yml'),
    `services: { notes: { environment: { NODE_OPTIONS: '--import=/clock.mjs' }, volumes: ['${file}:/clock.mjs:ro'] } }\n`,
  );
  await operator.shell(
    'export COMPOSE_FILE=docker-compose.yml:infra/nginx/docker-compose.proxy.yml:clock.yml; docker-compose up -d --no-deps notes',
  );
  const [gateway = ''] = (await compose('ps', '-q', 'gateway')).split('\n');
  const port = new URL(baseUrl).port;
  const get = async (path: string, headers = {}) => {
    const program = `fetch('http://127.0.0.1:${port}${path}', { headers: ${JSON.stringify(headers)} }).then(async (r) => console.log(r.status, await r.text()))`;
    return mustRun('docker', ['exec', gateway, 'node', '-e', program]);
  };
  await until('the gateway says so', async () =>
    /notes: Its clock differs by \d+ s/.test(await get('/readyz')),
  );
  const note = await get(`/api/notes/${acknowledged[0]}`, bearer(company.key));
  expect(note).toMatch(/^503 .*service_unavailable/);
  const logged = await compose('logs', '--no-color', 'notes');
  expect(logged).toMatch(
    /"level":"warn".*The clock of gateway is \d+ s behind that of this process/,
  );
  await expect(operator.shell('docker-compose run --rm doctor')).rejects.toThrow(
    /FAIL {2}clock of notes: \d+ s off/,
  );
}, 300_000);

it('every block of the pages that names docker-compose was run', () => {
  expect(operator.unread()).toEqual([]);
});

/** Stands in for another machine: the time of the process, and the `Date` of its responses. */
const clockAhead = `
import { ServerResponse } from 'node:http';
const now = Date.now;
Date.now = () => now() + 300_000;
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (...args) {
  this.setHeader('Date', new Date(Date.now()).toUTCString());
  return writeHead.apply(this, args);
};
`;

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 120_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new Error(`Not within two minutes: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
