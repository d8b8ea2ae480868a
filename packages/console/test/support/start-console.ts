import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { createApi, signIn } from '@commonplace/e2e';
import { startBrowser } from '@commonplace/e2e/browser';
import { administrator, startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import type { BrowserContextOptions } from 'playwright-core';
import { openVisitor, type Visitor } from './browser.ts';
import { seedWorld, type SeededWorld } from './seed-world.ts';

// A browser, five processes and a database share two cores with other tests.
jest.setTimeout(120_000);

const build = join(import.meta.dirname, '../../build/main.ts');

type Mode = 'authenticated' | 'local_trusted';

type Account = { readonly email: string; readonly password: string };

export type EmptyConsole = {
  readonly system: TestSystem;
  /** Opens a new browser profile at this system. */
  readonly visit: (options?: BrowserContextOptions) => Promise<Visitor>;
  /** The same, already signed in, by default as the board; no page is open yet. */
  readonly enter: (account?: Account, options?: BrowserContextOptions) => Promise<Visitor>;
  readonly stop: () => Promise<void>;
};

export type ConsoleUnderTest = EmptyConsole & { readonly world: SeededWorld };

/** Builds the console if needed, and starts the real system with seed data and a browser. */
export const startConsole = async ({
  mode,
}: {
  readonly mode: Mode;
}): Promise<ConsoleUnderTest> => {
  const console = await startEmptyConsole(mode);
  try {
    return { ...console, world: await seedWorld(console.system) };
  } catch (error) {
    await console.stop();
    throw error;
  }
};

/** The same without seed data; `options` are those of the system. */
export const startEmptyConsole = async (
  mode: Mode,
  options: Parameters<typeof startTestSystem>[1] = {},
): Promise<EmptyConsole> => {
  // Vite does not run inside Jest's realm. This is quick if the console is up to date.
  await promisify(execFile)(process.execPath, [build]);
  const system = await startTestSystem(mode, options);
  try {
    const browser = await startBrowser();
    const visit: EmptyConsole['visit'] = (profile = {}) =>
      openVisitor(browser, { baseURL: system.baseUrl, ...profile });
    return {
      system,
      visit,
      enter: async (account = board, profile = {}) => {
        const visitor = await visit(profile);
        const { cookie, end } = await startSession(system, account);
        await visitor.page.context().addCookies([cookie]);
        const close = async (): Promise<void> => {
          try {
            await visitor.close();
          } finally {
            await end();
          }
        };
        return { ...visitor, close };
      },
      stop: async () => {
        await browser.close();
        await system.stop();
      },
    };
  } catch (error) {
    await system.stop();
    throw error;
  }
};

/**
 * Signs in without the login page, which has tests of its own. `end` signs out: an operator has at most ten sessions, and
 * one more ends the oldest, which may be that of the test file itself.
 */
const startSession = async ({ baseUrl }: TestSystem, account: Account) => {
  const headers = await signIn({ baseUrl, ...account });
  const { cookie = '' } = headers;
  const at = cookie.indexOf('=');
  return {
    cookie: { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: baseUrl },
    end: async () => {
      // The test may have ended the session, or stopped the server.
      await createApi({ baseUrl, headers })('POST', '/api/auth/logout').catch(() => undefined);
    },
  };
};

/** The first operator, an administrator and owner of the seeded companies. */
export const board = administrator;
