import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { administrator, startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openVisitor, startBrowser, type Visitor } from './browser.ts';
import { seedWorld, type SeededWorld } from './seed-world.ts';

// A browser, five processes and a database share two cores with whatever else is tested.
jest.setTimeout(120_000);

const build = join(import.meta.dirname, '../../build/main.ts');

export type ConsoleUnderTest = {
  readonly system: TestSystem;
  readonly world: SeededWorld;
  /** Opens a browser profile of its own, at this system. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Visitor>;
  readonly stop: () => Promise<void>;
};

/** Builds the console once, starts the real system with a seeded world, and a browser. */
export const startConsole = async ({
  mode,
}: {
  readonly mode: 'authenticated' | 'local_trusted';
}): Promise<ConsoleUnderTest> => {
  // Vite does not run inside Jest's realm. When the console is fresh, this is quick.
  await promisify(execFile)(process.execPath, [build]);
  const system = await startTestSystem(mode);
  let browser: Browser | undefined;
  const stop = async () => {
    await browser?.close();
    await system.stop();
  };
  try {
    const running = (browser = await startBrowser());
    const world = await seedWorld(system);
    const visit = (options: BrowserContextOptions = {}) => {
      return openVisitor(running, { baseURL: system.baseUrl, ...options });
    };
    return { system, world, visit, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The first operator, an administrator and owner of the seeded companies. */
export const board = administrator;
