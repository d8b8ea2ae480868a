import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { makeApiKey } from '@commonplace/identity';
import { startHeartbeatEnvironment, type HeartbeatEnvironment } from './heartbeat-environment.ts';
import { script, type RunningCli } from './run-cli.ts';

let environment: HeartbeatEnvironment;
let gateway: HeartbeatEnvironment['gateway'];
let folder: string;

beforeEach(async () => {
  environment = await startHeartbeatEnvironment();
  ({ gateway, folder } = environment);
  gateway.lifetimeMs = 1_500;
});

afterEach(() => environment.stop());

const heartbeat: HeartbeatEnvironment['heartbeat'] = (...args) => environment.heartbeat(...args);

/** Prints the token whenever it changes, until the file `enough` appears. */
const watchToken = (stopFile: string): string[] =>
  script(`
    const { existsSync, readFileSync } = require('node:fs');
    let last = '';
    setInterval(() => {
      const token = readFileSync(process.env.SERVICE_TOKEN_FILE, 'utf8');
      if (token !== last) console.log(last = token);
      if (existsSync('${stopFile}')) process.exit(0);
    }, 20);`);

const lines = (cli: RunningCli): string[] => cli.stdout().trim().split('\n');
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a closed standard error', () => {
  it('stops neither the command nor the heartbeat: the run is finished, and no token file is left', async () => {
    const stopFile = join(folder, 'enough');
    const cli = heartbeat(watchToken(stopFile));
    await until(() => gateway.runs.length === 1);
    cli.child.stderr?.destroy();
    await until(() => lines(cli).length === 2);
    await writeFile(stopFile, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
    expect((await readdir(folder)).filter((name) => name.startsWith('commonplace-run-'))).toEqual(
      [],
    );
  });
});

describe('the token of a long run', () => {
  it('is renewed after two thirds of its lifetime, and the command reads the new one', async () => {
    gateway.lifetimeMs = 6_000;
    const stopFile = join(folder, 'enough');
    const cli = heartbeat(watchToken(stopFile));
    await until(() => lines(cli).length === 3);
    await writeFile(stopFile, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(lines(cli)).toEqual(gateway.tokens.slice(0, 3));
    const startedAtMs = Date.parse(gateway.runs[0]?.startedAt ?? '');
    const firstRenewalMs = (gateway.renewedAtMs[0] ?? 0) - startedAtMs;
    // The server's clock is known up to the time that the request of the start took.
    expect(firstRenewalMs).toBeGreaterThanOrEqual(3_000);
    expect(firstRenewalMs).toBeLessThan(6_000);
  });

  it('is written as soon as possible after a failed write, as on a full disk, and the run continues', async () => {
    const stopFile = join(folder, 'enough');
    // A folder in place of the file also fails for root, whom file modes do not restrict.
    const cli = heartbeat(
      script(`
        const { existsSync, mkdirSync, readFileSync, rmSync } = require('node:fs');
        const file = process.env.SERVICE_TOKEN_FILE;
        const first = readFileSync(file, 'utf8');
        mkdirSync(file + '.next');
        setInterval(() => {
          if (existsSync('${stopFile}')) rmSync(file + '.next', { recursive: true, force: true });
          const token = readFileSync(file, 'utf8');
          if (token !== first) { console.log(token); process.exit(0); }
        }, 20);`),
    );
    await until(() => cli.stderr().includes('token not written yet'));
    await writeFile(stopFile, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.tokens).toContain(lines(cli)[0]);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('is renewed despite a restart of the gateway', async () => {
    const stopFile = join(folder, 'enough');
    const cli = heartbeat(watchToken(stopFile));
    await until(() => gateway.runs.length === 1);
    await gateway.stop();
    await until(() => cli.stderr().includes('token not renewed yet'));
    await gateway.start();
    await until(() => lines(cli).length === 2);
    await writeFile(stopFile, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('a key in a file', () => {
  /** A command that runs while its key is replaced at the gateway. */
  const beatWithReplacedKey = async () => {
    const keyFile = join(folder, 'key');
    const stopFile = join(folder, 'enough');
    await writeFile(keyFile, gateway.key);
    const cli = heartbeat(watchToken(stopFile), { COMMONPLACE_API_KEY_FILE: keyFile });
    await until(() => gateway.runs.length === 1);
    gateway.key = makeApiKey();
    return { cli, keyFile, stopFile };
  };

  it('may be rotated while the command runs', async () => {
    const { cli, keyFile, stopFile } = await beatWithReplacedKey();
    await writeFile(keyFile, gateway.key);
    await until(() => lines(cli).length === 2);
    await writeFile(stopFile, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('may be rotated without an overlap before the new one is in the file', async () => {
    gateway.lifetimeMs = 6_000;
    const { cli, keyFile, stopFile } = await beatWithReplacedKey();
    await until(() => cli.stderr().includes('token not renewed yet: 401 invalid_token'));
    await writeFile(keyFile, gateway.key);
    await until(() => lines(cli).length === 2);
    await writeFile(stopFile, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('an unavailable gateway', () => {
  it('is retried at the start and at the end of a run', async () => {
    await gateway.stop();
    const cli = heartbeat(script(`process.stdin; setTimeout(() => console.log('done'), 500)`));
    await until(() => cli.stderr().includes('run not started yet'));
    await gateway.start();
    await until(() => gateway.runs.length === 1);
    await gateway.stop();
    await until(() => cli.stderr().includes('is not finished yet'));
    await gateway.start();
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('that fails during a start gets no second request', async () => {
    gateway.breaksOff = true;
    const cli = heartbeat(script(`console.log('ran')`));
    await expect(cli.ended).resolves.toBe(125);
    expect(gateway.runs).toHaveLength(1);
    expect(cli.stdout()).toBe('');
  });

  it('does not delay a heartbeat that was stopped', async () => {
    await gateway.stop();
    const cli = heartbeat(script(''));
    await until(() => cli.stderr().includes('run not started yet'));
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(125);
    expect(gateway.runs).toEqual([]);
  });
});

describe('--context', () => {
  it('that is slow delays no renewal, and the command gets the newest token', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gateway.held = { path: '/context', until: released };
    const cli = heartbeat(['--context', ...script('console.log(process.env.SERVICE_API_KEY)')]);
    await until(() => gateway.renewedAtMs.length === 1);
    release();
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.tokens.slice(1)).toContain(lines(cli)[0]);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('that is still awaited when the run ends is given up, and its command does not start', async () => {
    gateway.held = { path: '/context', until: new Promise(() => undefined) };
    const cli = heartbeat(['--context', ...script("console.log('started')")]);
    await until(() => gateway.paths.includes('/api/context'));
    gateway.cancel();
    await expect(cli.ended).resolves.toBe(125);
    expect(cli.stdout()).toBe('');
    expect(cli.stderr()).toContain('has ended (409 run_finished');
  });

  it('that is still awaited after SIGTERM is given up, and the run is finished', async () => {
    gateway.held = { path: '/context', until: new Promise(() => undefined) };
    const cli = heartbeat(['--context', ...script("console.log('started')")]);
    await until(() => gateway.paths.includes('/api/context'));
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(143);
    expect(cli.stdout()).toBe('');
    expect(gateway.runs).toMatchObject([{ status: 'failed', costCents: 0 }]);
  });

  it('that does not fit on the disk ends the run as failed, and its command does not start', async () => {
    gateway.context = 'x'.repeat(1 << 20);
    // Exceeding a file size limit is a write error as on a full disk; any user can set one, without a mount.
    const limit = ['bash', '-c', 'ulimit -f 64 && exec "$@"', 'bash'];
    const args = ['--context', ...script("console.log('started')")];
    const cli = heartbeat(args, { COMMONPLACE_API_KEY: gateway.key }, limit);
    await expect(cli.ended).resolves.not.toBe(0);
    expect(cli.stdout()).toBe('');
    expect(gateway.runs).toMatchObject([
      { status: 'failed', costCents: 0, reason: expect.stringContaining('EFBIG') },
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith('commonplace-run-'))).toEqual(
      [],
    );
  });

  it.each([
    ['of a service account', '/dev/null'],
    ['that is an empty name', ''],
  ])('without a usable home, one %s, runs the command and finishes the run', async (_, home) => {
    const args = ['--context', ...script("console.log('started')")];
    const env = { COMMONPLACE_API_KEY: gateway.key, HOME: home, XDG_STATE_HOME: '' };
    const cli = heartbeat(args, env, ['bash', '-c', `cd '${folder}' && exec "$@"`, 'bash']);
    await expect(cli.ended).resolves.toBe(0);
    expect(cli.stdout()).toBe('started\n');
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a run that ended on the server', () => {
  it('is named with its end and the reason, if its command ends before that is noticed', async () => {
    let release = (): void => undefined;
    gateway.held = { path: '/finish', until: new Promise<void>((resolve) => (release = resolve)) };
    const cli = heartbeat(script("console.log('done')"));
    await until(() => gateway.paths.some((path) => path.endsWith('/finish')));
    gateway.cancel('budget');
    release();
    await expect(cli.ended).resolves.toBe(0);
    expect(cli.stderr()).toContain(
      'had ended before its command: cancelled, a report exceeded the budget',
    );
  });

  it('ends the command and its child processes', async () => {
    const cli = heartbeat(
      script(`
        const { spawn } = require('node:child_process');
        const grandchild = spawn('sleep', ['60'], { stdio: 'ignore' });
        console.log(JSON.stringify([process.pid, grandchild.pid]));
        setInterval(() => {}, 1000);`),
    );
    await until(() => cli.stdout().includes(']'));
    const pids = JSON.parse(cli.stdout()) as number[];
    gateway.cancel();
    await expect(cli.ended).resolves.toBe(143);
    expect(cli.stderr()).toContain('has ended (409 run_finished');
    expect(gateway.runs).toMatchObject([{ status: 'cancelled' }]);
    await until(() => !pids.some(isAlive));
  });

  it.each(['agent_paused', 'company_archived', 'not_found'] as const)(
    'ends the command at once when a renewal fails with %s',
    async (code) => {
      const cli = heartbeat(script(`setInterval(() => {}, 1000)`));
      await until(() => gateway.runs.length === 1);
      gateway.refusal = code;
      await expect(cli.ended).resolves.toBe(143);
      expect(cli.stderr()).toContain(`${code}: `);
      expect(cli.stderr()).not.toContain('not renewed yet');
    },
  );
});

describe('a renewal that is refused with a code that does not end runs', () => {
  it('is repeated until the token has expired, and then ends the command', async () => {
    const cli = heartbeat(script(`setInterval(() => {}, 1000)`));
    await until(() => gateway.runs.length === 1);
    gateway.refusal = 'invalid_token';
    await expect(cli.ended).resolves.toBe(143);
    expect(cli.stderr()).toContain('token not renewed yet: 401 invalid_token');
    expect(cli.stderr()).toContain('has ended (401 invalid_token');
  });
});

describe('a heartbeat that is killed', () => {
  it('leaves a command and a token, which the next heartbeat ends and removes', async () => {
    gateway.lifetimeMs = 900_000;
    const runFolders = async () =>
      (await readdir(folder)).filter((name) => name.startsWith('commonplace-run-'));
    const killed = heartbeat(script('console.log(process.pid); setInterval(() => {}, 1000)'));
    await until(() => killed.stdout().includes('\n'));
    const pid = Number(killed.stdout());
    const [left = ''] = await runFolders();
    await until(async () =>
      (await readFile(join(folder, left, 'owner.json'), 'utf8')).includes(String(pid)),
    );
    killed.child.kill('SIGKILL');
    killed.child.stdout?.destroy();
    await until(() => killed.child.signalCode !== null);
    expect([isAlive(pid), await runFolders()]).toEqual([true, [left]]);

    const next = heartbeat(script(''));
    await expect(next.ended).resolves.toBe(0);
    expect(next.stderr()).toContain(`ending process ${pid}, the command of a killed heartbeat`);
    await until(() => !isAlive(pid));
    expect(await runFolders()).toEqual([]);
  });

  it('is not confused with one that runs', async () => {
    const first = heartbeat(script('console.log("up"); setInterval(() => {}, 1000)'));
    await until(() => first.stdout().includes('up'));
    await expect(heartbeat(script('')).ended).resolves.toBe(0);
    first.child.kill('SIGTERM');
    await expect(first.ended).resolves.toBe(143);
    expect(first.stderr()).toContain('was killed by SIGTERM');
  });
});

describe('--every', () => {
  it('repeats without overlap, and exits with 0 after a stop signal', async () => {
    gateway.lifetimeMs = 900_000;
    const log = join(folder, 'log');
    // Each beat takes longer than the interval of one second.
    const cli = heartbeat([
      '--every',
      '1s',
      ...script(`
        const { appendFileSync } = require('node:fs');
        appendFileSync('${log}', 'in ');
        setTimeout(() => appendFileSync('${log}', 'out '), 1300);`),
    ]);
    await until(() => gateway.runs.filter(({ status }) => status === 'succeeded').length === 3);
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(0);
    expect(await readFile(log, 'utf8')).toMatch(/^(in out ){3}(in )?$/);
    const [first, second] = gateway.runs.map(({ startedAt }) => Date.parse(startedAt));
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(1_300);
    expect(gateway.starts[0]).toEqual({ trigger: 'schedule' });
  });

  it('ends at once after a stop signal between two beats, and not by a SIGHUP without a terminal, as with nohup', async () => {
    const cli = heartbeat(['--every', '1h', ...script('')]);
    await until(() => cli.stderr().includes('succeeded'));
    cli.child.kill('SIGHUP');
    await sleep(100);
    expect(cli.child.exitCode).toBeNull();
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toHaveLength(1);
  });

  it('continues after a refused beat', async () => {
    gateway.refusal = 'budget_exhausted';
    const cli = heartbeat(['--every', '1s', ...script('')]);
    await until(() => cli.stderr().includes('beat failed: 409 budget_exhausted'));
    gateway.refusal = undefined;
    await until(() => gateway.runs.length > 0);
    await sleep(100);
    cli.child.kill('SIGINT');
    await expect(cli.ended).resolves.toBe(0);
  });
});
