import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Agent } from '@commonplace/contracts';
import { nodeEnvironment, until } from '@commonplace/testkit';
import { createWorld, type World } from './support/agents-world.ts';
import { createAgent, createCompany, startRun, type TestCompany } from './support/fixtures.ts';

// Each test starts a process, which takes long on a busy machine.
jest.setTimeout(90_000);

const hourMs = 3_600_000;
let world: World;
let home: TestCompany;
let ada: Agent;
const started: ChildProcess[] = [];
beforeAll(async () => {
  world = await createWorld();
  home = await createCompany(world);
  ada = await createAgent(home);
});
afterAll(async () => {
  started.forEach((child) => child.kill('SIGKILL'));
  await world.close();
});

/** Before the program runs: its machine has another time. */
const setClock = (aheadMs: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    const Right = Date;
    globalThis.Date = class extends Right {
      constructor(...parts) {
        parts.length > 0 ? super(...parts) : super(Right.now() + ${aheadMs});
      }
      static now() {
        return Right.now() + ${aheadMs};
      }
    };`)}`;

/** A process of the service on a machine whose clock is ahead; negative: behind. */
const startProcess = (aheadMs: number): ChildProcess => {
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, ['--import', setClock(aheadMs), main], {
    env: {
      ...nodeEnvironment(),
      DATABASE_URL: world.deps.db.pool.options.connectionString ?? '',
      DATABASE_CITUS: world.deps.db.isCitus ? 'on' : 'off',
      DEPLOYMENT_MODE: 'authenticated',
      LOG_LEVEL: 'silent',
      PORT: '0',
      AUTH_URL: 'http://127.0.0.1:9',
      GATEWAY_URL: 'http://127.0.0.1:9',
      API_KEY_PEPPERS: 'test-only-pepper-of-more-than-32-bytes',
      INTERNAL_IDENTITY_SECRETS: 'test-only-secret-of-more-than-32-bytes',
    },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  started.push(child);
  return child;
};

const statusOf = async (id: string) =>
  (await world.sql('select status from agents.runs where id = $1', [id]))[0]?.['status'];

it.each([
  ['an hour ahead', hourMs],
  ['an hour behind', -hourMs],
])('a process whose clock is %s ends the runs that are over, and no others', async (_, aheadMs) => {
  const now = world.clock.now;
  world.clock.now = new Date(now.getTime() - hourMs / 2);
  const over = await startRun(home, ada);
  world.clock.now = now;
  const running = await startRun(home, ada);
  const child = startProcess(aheadMs);
  await until(async () => (await statusOf(over.run.id)) === 'expired');
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(await statusOf(running.run.id)).toBe('running');
});
