import { chmod, mkdtemp } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Services that only listen and show their environment. */
export const servicesDir = join(import.meta.dirname, 'fixtures', 'services');

/** A data directory of one test, in a folder that the server's user can enter when we are root. */
export const newDataDir = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-local-'));
  await chmod(folder, 0o711);
  return join(folder, '.data');
};

/** Waits for something that must come true soon. */
export const eventually = async (
  what: string,
  check: () => unknown,
  seconds = 20,
): Promise<void> => {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await check()) {
      return;
    }
    await sleep(25);
  }
  throw new Error(`Waited ${seconds} s in vain: ${what}`);
};

/** Whether a process still runs. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What a fixture says about itself. */
export const readFixture = (port: number): Promise<{ pid: number; env: Record<string, string> }> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve(JSON.parse(body)));
    }).on('error', reject);
  });
