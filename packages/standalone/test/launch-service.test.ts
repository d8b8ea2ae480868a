import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { RunningProcess } from '../src/supervise.ts';
import { launchService } from '../src/launch-service.ts';
import { eventually, isAlive, servicesDir } from './helpers.ts';

jest.setTimeout(60_000);

const entry = join(servicesDir, 'notes/src/main.ts');
let written: string;
let launched: RunningProcess | undefined;

const launch = async (migration: Promise<void>, signal = new AbortController().signal) => {
  launched = await launchService({
    entry,
    env: { HOST: '127.0.0.1' },
    lastEnv: () => migration.then(() => ({ PORT: '0' })),
    output: (text) => (written += text),
    signal,
  });
  return launched;
};

const untilLoaded = () =>
  eventually('its application is loaded', () => written.includes('application loaded'));

beforeEach(() => {
  written = '';
  launched = undefined;
});

afterEach(async () => {
  await launched?.stop();
});

test('a service loads its code at once and begins when it may', async () => {
  const migration = Promise.withResolvers<void>();
  const launching = launch(migration.promise);
  await untilLoaded();
  expect(written).not.toContain('fixture on');
  migration.resolve();
  const { pid } = await launching;
  await eventually('it says where it listens', () => written.includes('fixture on'));
  expect(isAlive(pid)).toBe(true);
});

test('a service never begins when what it waits for fails, and says why', async () => {
  const migration = Promise.withResolvers<void>();
  const launching = launch(migration.promise);
  await untilLoaded();
  migration.reject(new Error('no such database'));
  await expect(launching).rejects.toThrow('no such database');
  expect(written).not.toContain('fixture on');
});

test('a service whose start was given up meanwhile never begins', async () => {
  const migration = Promise.withResolvers<void>();
  const givingUp = new AbortController();
  const launching = launch(migration.promise, givingUp.signal);
  await untilLoaded();
  givingUp.abort();
  migration.resolve();
  await expect(launching).rejects.toThrow('aborted');
  expect(written).not.toContain('fixture on');
});

test('a service that still waits ends with its supervisor', async () => {
  const loadFirst = import.meta.resolve('../src/load-first.ts');
  const child = spawn(process.execPath, ['--import', loadFirst, entry], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (written += text));
  await untilLoaded();
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  expect(written).not.toContain('fixture on');
});

test('a start that is aborted before it begins reads no environment', async () => {
  let readCount = 0;
  const launching = launchService({
    entry,
    env: {},
    lastEnv: () => {
      readCount += 1;
      return Promise.reject(new Error('never thrown'));
    },
    signal: AbortSignal.abort(),
  });
  await expect(launching).rejects.toThrow('aborted');
  expect(readCount).toBe(0);
});
