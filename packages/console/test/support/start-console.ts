import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { createApi, makeAdministrator, signIn } from '@commonplace/e2e';
import { browserOfWorker, systemOfWorker } from '@commonplace/e2e/of-worker';
import {
  administrator,
  keepOutput,
  startTestSystem,
  type TestSystem,
} from '@commonplace/e2e/test-system';
import type { BrowserContextOptions } from 'playwright-core';
import { openVisitor, type Visitor } from './browser.ts';
import { seedWorld, type SeededWorld } from './seed-world.ts';

// A browser, five processes and a database share two cores with other tests.
jest.setTimeout(120_000);

const build = join(import.meta.dirname, '../../build/main.ts');

/**
 * Of a system that only this file uses. Without a mode it is the system of the worker, in authenticated mode, in which every
 * file has accounts and companies of its own.
 */
export type Mode = 'authenticated' | 'local_trusted';

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

const domain = `${randomBytes(4).toString('hex')}.example.org`;

/** An address that no other test file has: they may share a system. */
export const emailOf = (name: string): string => `${name}@${domain}`;

/** The first operator of the file, an administrator and owner of the seeded companies. */
export const board: Account = { email: emailOf('board'), password: administrator.password };

/** Builds the console if needed, and provides a real system with seed data and a browser. */
export const startConsole = async ({
  mode,
}: { readonly mode?: Mode | undefined } = {}): Promise<ConsoleUnderTest> => {
  const console = await startEmptyConsole(mode);
  try {
    return { ...console, world: await seedWorld(console.system) };
  } catch (error) {
    await console.stop();
    throw error;
  }
};

/** The same without seed data; `options` are those of a system of the file's own. */
export const startEmptyConsole = async (
  mode?: Mode,
  options: Parameters<typeof startTestSystem>[1] = {},
): Promise<EmptyConsole> => {
  // Vite does not run inside Jest's realm. This is quick if the console is up to date.
  await promisify(execFile)(process.execPath, [build]);
  const browser = await browserOfWorker();
  const system = await (mode === undefined ? shareSystem() : startSystem(mode, options));
  const visitors: Visitor[] = [];
  const visit: EmptyConsole['visit'] = async (profile = {}) => {
    const visitor = await openVisitor(browser, { baseURL: system.baseUrl, ...profile });
    visitors.push(visitor);
    return visitor;
  };
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
      await Promise.all(visitors.map(({ page }) => page.context().close()));
      await system.stop();
    },
  };
};

/** The system of the worker as a file sees it: with a first operator who knows nothing of other files, and no end. */
const shareSystem = async (): Promise<TestSystem> => {
  const shared = await systemOfWorker();
  shared.forgetOutput();
  keepOutput(shared.output);
  await makeAdministrator(shared, { name: 'board', ...board });
  return {
    ...shared,
    boardHeaders: () => signIn({ baseUrl: shared.baseUrl, ...board }),
    stop: async () => undefined,
  };
};

/** A system whose first operator is the board, unless the options say otherwise. */
const startSystem = async (
  mode: Mode,
  options: Parameters<typeof startTestSystem>[1] = {},
): Promise<TestSystem> => {
  const account = mode === 'authenticated' ? { BOOTSTRAP_OPERATOR_EMAIL: board.email } : {};
  const own = await startTestSystem(mode, { ...options, env: { ...account, ...options.env } });
  return mode === 'authenticated'
    ? { ...own, boardHeaders: () => signIn({ baseUrl: own.baseUrl, ...board }) }
    : own;
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
