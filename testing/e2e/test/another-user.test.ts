import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeEnvironment } from '@commonplace/testkit';
import { createApi } from '../src/call-api.ts';

/** Root installs, and a user of its own runs: what servers do, and packages of distributions. */
const repository = join(import.meta.dirname, '../../..');
const main = join(repository, 'packages/standalone/src/main.mjs');
const consoleDir = join(repository, 'packages/console');
const nobody = { uid: 65_534, gid: 65_534 } as const;

const isRoot = process.getuid?.() === 0;
const isReadable =
  isRoot && spawnSync(process.execPath, ['--check', main], { ...nobody, cwd: '/' }).status === 0;
const reason = isRoot
  ? 'another user cannot read this checkout'
  : 'only root can become another user';
const describeIfPossible = isReadable ? describe : describe.skip;

let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  if (isReadable) {
    await promisify(execFile)(process.execPath, [join(consoleDir, 'build/main.ts')]);
    folder = await mkdtemp(join(tmpdir(), 'commonplace-another-'));
    await chown(folder, nobody.uid, nobody.gid);
  }
}, 150_000);
afterAll(async () => {
  await Promise.all(children.map(stop));
  if (isReadable) {
    await rm(folder, { recursive: true });
  }
});

/** Starts the system as that user, on one data directory; returns its address and what it says. */
const start = async (env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, [main], {
    ...nobody,
    cwd: '/',
    env: { ...nodeEnvironment(), PORT: '0', DATA_DIR: join(folder, 'data'), HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  while (!stdout.includes('is ready') && child.exitCode === null) {
    await sleep(20);
  }
  const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0];
  if (baseUrl === undefined) {
    throw new Error(`It ended with ${child.exitCode} and said: ${stderr}`);
  }
  return { child, baseUrl, stderr: () => stderr };
};

const stop = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  return child.exitCode;
};

const pageOf = async (baseUrl: string) => {
  const response = await fetch(baseUrl, { headers: { accept: 'text/html' } });
  return [response.status, await response.text()] as const;
};

/** A copy of the console as a umask of 077 leaves it. */
const closedCopy = async (): Promise<string> => {
  const copy = join(folder, 'closed');
  await cp(join(consoleDir, 'dist'), copy, { recursive: true });
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
  await chmod(copy, 0o700);
  return copy;
};

describeIfPossible(`installed by root${isReadable ? '' : ` (skipped: ${reason})`}`, () => {
  it('starts as another user, with its console', async () => {
    const { baseUrl, child } = await start();
    const [status, page] = await pageOf(baseUrl);
    expect([status, page]).toEqual([200, expect.stringContaining('<script type="module"')]);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    expect((await fetch(baseUrl + script)).status).toBe(200);
    const api = createApi({ baseUrl });
    const body = { name: 'Of another user' };
    expect((await api('POST', '/api/companies', { body })).status).toBe(201);
    expect(await stop(child)).toBe(0);
  }, 90_000);

  it('starts without the console if its files are closed to that user, and says so', async () => {
    const copy = await closedCopy();
    const { baseUrl, child, stderr } = await start({ CONSOLE_DIR: copy });
    expect(await pageOf(baseUrl)).toEqual([200, expect.stringContaining('This is the gateway')]);
    const api = createApi({ baseUrl });
    expect((await api('GET', '/api/companies')).body).toMatchObject({
      items: [{ name: 'Of another user' }],
    });
    expect(stderr()).toContain('the user of the gateway cannot read it');
    expect(stderr()).toContain(copy);
    expect(await stop(child)).toBe(0);
  }, 90_000);
});
