import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeApiKey } from '@commonplace/identity';
import { startHeartbeatWorld, type HeartbeatWorld } from './heartbeat-world.ts';
import { script, until, type RunningCli } from './run-cli.ts';

let world: HeartbeatWorld;
let gateway: HeartbeatWorld['gateway'];
let folder: string;

beforeEach(async () => {
  world = await startHeartbeatWorld();
  ({ gateway, folder } = world);
  gateway.lifetimeMs = 1_500;
});

afterEach(() => world.stop());

const heartbeat: HeartbeatWorld['heartbeat'] = (args, env) => world.heartbeat(args, env);

/** Prints the token whenever it changes, until the file `enough` appears. */
const watchToken = (enough: string): string[] =>
  script(`
    const { existsSync, readFileSync } = require('node:fs');
    let last = '';
    setInterval(() => {
      const token = readFileSync(process.env.SERVICE_TOKEN_FILE, 'utf8');
      if (token !== last) console.log(last = token);
      if (existsSync('${enough}')) process.exit(0);
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

describe('a standard error that nobody reads any more', () => {
  it('ends neither the command nor the heartbeat: the run is finished, and no token stays behind', async () => {
    const enough = join(folder, 'enough');
    const cli = heartbeat(watchToken(enough));
    await until(() => gateway.runs.length === 1);
    cli.child.stderr?.destroy();
    await until(() => lines(cli).length === 2);
    await writeFile(enough, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
    expect((await readdir(folder)).filter((name) => name.startsWith('commonplace-run-'))).toEqual(
      [],
    );
  });
});

describe('the token of a long run', () => {
  it('is renewed when two thirds of its life are over, and the command reads the new one', async () => {
    gateway.lifetimeMs = 6_000;
    const enough = join(folder, 'enough');
    const cli = heartbeat(watchToken(enough));
    await until(() => lines(cli).length === 3);
    await writeFile(enough, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(lines(cli)).toEqual(gateway.tokens.slice(0, 3));
    const startedAtMs = Date.parse(gateway.runs[0]?.startedAt ?? '');
    const firstRenewalMs = (gateway.renewedAtMs[0] ?? 0) - startedAtMs;
    expect(firstRenewalMs).toBeGreaterThanOrEqual(3_950);
    expect(firstRenewalMs).toBeLessThan(6_000);
  });

  it('that cannot be written, as on a full disk, ends nothing and follows when it can', async () => {
    const enough = join(folder, 'enough');
    // A folder in the way of the file: whoever tests as root can write where others cannot.
    const cli = heartbeat(
      script(`
        const { existsSync, mkdirSync, readFileSync, rmSync } = require('node:fs');
        const file = process.env.SERVICE_TOKEN_FILE;
        const first = readFileSync(file, 'utf8');
        mkdirSync(file + '.next');
        setInterval(() => {
          if (existsSync('${enough}')) rmSync(file + '.next', { recursive: true, force: true });
          const token = readFileSync(file, 'utf8');
          if (token !== first) { console.log(token); process.exit(0); }
        }, 20);`),
    );
    await until(() => cli.stderr().includes('is not written yet'));
    await writeFile(enough, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.tokens).toContain(lines(cli)[0]);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('outlives a restart of the gateway in the middle', async () => {
    const enough = join(folder, 'enough');
    const cli = heartbeat(watchToken(enough));
    await until(() => gateway.runs.length === 1);
    await gateway.stop();
    await until(() => cli.stderr().includes('the token is not renewed yet'));
    await gateway.start();
    await until(() => lines(cli).length === 2);
    await writeFile(enough, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('a key in a file', () => {
  it('may be rotated while the command runs', async () => {
    const keyFile = join(folder, 'key');
    const enough = join(folder, 'enough');
    await writeFile(keyFile, gateway.key);
    const cli = heartbeat(watchToken(enough), { COMMONPLACE_API_KEY_FILE: keyFile });
    await until(() => gateway.runs.length === 1);
    gateway.key = makeApiKey();
    await writeFile(keyFile, gateway.key);
    await until(() => lines(cli).length === 2);
    await writeFile(enough, '');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('a gateway that is away', () => {
  it('at the start and at the end is waited for', async () => {
    await gateway.stop();
    const cli = heartbeat(script(`process.stdin; setTimeout(() => console.log('done'), 500)`));
    await until(() => cli.stderr().includes('no run yet'));
    await gateway.start();
    await until(() => gateway.runs.length === 1);
    await gateway.stop();
    await until(() => cli.stderr().includes('is not finished yet'));
    await gateway.start();
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('in the middle of a start is not asked for a second run', async () => {
    gateway.breaksOff = true;
    const cli = heartbeat(script(`console.log('ran')`));
    await expect(cli.ended).resolves.toBe(125);
    expect(gateway.runs).toHaveLength(1);
    expect(cli.stdout()).toBe('');
  });

  it('does not keep a heartbeat that shall stop', async () => {
    await gateway.stop();
    const cli = heartbeat(script(''));
    await until(() => cli.stderr().includes('no run yet'));
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(125);
    expect(gateway.runs).toEqual([]);
  });
});

describe('a run that ended on the server', () => {
  it('ends the command, and what the command started', async () => {
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
    expect(cli.stderr()).toContain('goes on no more (409 run_finished');
    expect(gateway.runs).toMatchObject([{ status: 'cancelled' }]);
    await until(() => !pids.some(isAlive));
  });

  it.each(['agent_paused', 'invalid_token'] as const)(
    'ends the command when renewing answers %s',
    async (code) => {
      const cli = heartbeat(script(`setInterval(() => {}, 1000)`));
      await until(() => gateway.runs.length === 1);
      gateway.refusal = code;
      await expect(cli.ended).resolves.toBe(143);
      expect(cli.stderr()).toContain(code);
    },
  );
});

describe('--every', () => {
  it('beats again and again, never two at once, and ends with 0 when told to', async () => {
    gateway.lifetimeMs = 900_000;
    const log = join(folder, 'log');
    // Each beat takes longer than the second between two of them.
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

  it('ends at once when told to between two beats', async () => {
    const cli = heartbeat(['--every', '1h', ...script('')]);
    await until(() => cli.stderr().includes('succeeded'));
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toHaveLength(1);
  });

  it('goes on after a beat that was refused', async () => {
    gateway.refusal = 'budget_exhausted';
    const cli = heartbeat(['--every', '1s', ...script('')]);
    await until(() => cli.stderr().includes('no beat: 409 budget_exhausted'));
    gateway.refusal = undefined;
    await until(() => gateway.runs.length > 0);
    await sleep(100);
    cli.child.kill('SIGINT');
    await expect(cli.ended).resolves.toBe(0);
  });
});
