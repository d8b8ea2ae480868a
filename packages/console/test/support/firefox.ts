import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const executablePath = '/usr/bin/firefox-esr';

/** Whether Debian's Firefox is installed. */
export const hasFirefox = existsSync(executablePath);

/** Starts Firefox, driven by WebDriver BiDi. */
export const startFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: 90_000 });

const waitMs = 40_000;

export type FirefoxPage = {
  readonly page: Page;
  /** Opens an address of the system and waits until nothing is loading. */
  readonly open: (path: string) => Promise<void>;
  /** Closes the page; rejects if a script failed or logged an error. */
  readonly close: () => Promise<void>;
};

/** Opens a page of the system in a new browser profile. */
export const openFirefoxPage = async (browser: Browser, baseUrl: string): Promise<FirefoxPage> => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  page.setDefaultTimeout(waitMs);
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      troubles.push(message.text());
    }
  });
  return {
    page,
    open: async (path) => {
      await page.goto(new URL(path, baseUrl).href);
      await page.waitForFunction(
        () =>
          document.querySelector('main h1') !== null &&
          document.querySelector('main [role="status"][aria-label="Loading"]') === null,
      );
    },
    close: async () => {
      await context.close();
      if (troubles.length > 0) {
        throw new Error(`The page was in trouble:\n${troubles.join('\n')}`);
      }
    },
  };
};
