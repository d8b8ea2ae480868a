import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export type Visitor = {
  readonly page: Page;
  /** Closes the profile; rejects if a script failed or the browser logged an error such as a policy violation. */
  readonly close: () => Promise<void>;
};

const waitMs = 40_000;

/** Opens a new browser profile. */
export const openVisitor = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> => {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(waitMs);
  const page = await context.newPage();
  const troubles: string[] = [];
  // The page handles responses such as 401.
  page.on('pageerror', (error) => troubles.push(`${error.name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      troubles.push(message.text());
    }
  });
  const close = async () => {
    if (!page.isClosed()) {
      // A response that a test still reads from the server for the page would fail with it.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    await context.close();
    if (troubles.length > 0) {
      throw new Error(`The page was in trouble:\n${troubles.join('\n')}`);
    }
  };
  return { page, close };
};
