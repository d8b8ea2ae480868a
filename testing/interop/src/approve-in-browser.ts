import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { signIn } from '@commonplace/e2e';
import { startBrowser } from '@commonplace/e2e/browser';
import { administrator } from '@commonplace/e2e/test-system';

/** The browser of an operator who is signed in. */
export type ApprovingBrowser = {
  /** Opens the address that a client would open, and approves what it requests; resolves when the client has got the code. */
  readonly approve: (address: string | URL) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const consoleBuild = fileURLToPath(
  new URL('../../../packages/console/build/main.ts', import.meta.url),
);
const waitMs = 40_000;

/** Builds the console if needed, and starts a browser. */
export const startApprovingBrowser = async (baseUrl: string): Promise<ApprovingBrowser> => {
  // Vite does not run inside Jest's realm. This is quick if the console is up to date.
  await promisify(execFile)(process.execPath, [consoleBuild]);
  const [browser, headers] = await Promise.all([
    startBrowser(),
    signIn({ baseUrl, ...administrator }),
  ]);
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(waitMs);
  const { cookie = '' } = headers;
  const at = cookie.indexOf('=');
  await context.addCookies([
    { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: baseUrl },
  ]);
  const approve = async (address: string | URL): Promise<void> => {
    const page = await context.newPage();
    await page.goto(String(address));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    // The client's own page, wherever it listens.
    await page.waitForURL((url) => url.origin !== new URL(baseUrl).origin);
    await page.close();
  };
  return { approve, stop: () => browser.close() };
};
