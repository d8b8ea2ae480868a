import { existsSync } from 'node:fs';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

const executablePath = '/usr/bin/firefox-esr';

/** Whether Debian's Firefox is installed. */
export const hasFirefox = existsSync(executablePath);

/** Starts Firefox, driven by WebDriver BiDi. */
export const startFirefox = (): Promise<Browser> =>
  puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: 90_000 });

const waitMs = 40_000;

/**
 * What is named by what is written on it or by its label. Not by the accessibility tree: Firefox takes long to compute
 * names there, and a response of it that is lost keeps the driver waiting for good.
 */
export const written = (elements: string, name: string): string =>
  `::-p-xpath(//*[${elements}][normalize-space() = "${name}" or @aria-label = "${name}"])`;

export const heading = (name: string): string => written('self::h1 or self::h2', name);

export const field = (name: string): string =>
  `::-p-xpath(//input[@aria-label = "${name}" or @id = //label[contains(., "${name}")]/@for])`;

export type FirefoxPage = {
  readonly page: Page;
  /** Opens an address of the system and waits until nothing is loading. */
  readonly open: (path: string) => Promise<void>;
  /** Waits until it is visible; a failure says what the page shows instead. */
  readonly seen: (selector: string) => Promise<void>;
  readonly gone: (selector: string) => Promise<unknown>;
  readonly click: (name: string, element?: 'button' | 'a' | 'input') => Promise<void>;
  readonly fill: (name: string, value: string) => Promise<void>;
  /** Closes the page; rejects if a script failed or logged an error. */
  readonly close: () => Promise<void>;
};

/** Opens a page of the system in a new browser profile, which downloads files to the folder, if one is given. */
export const openFirefoxPage = async (
  browser: Browser,
  baseUrl: string,
  downloadPath?: string,
): Promise<FirefoxPage> => {
  const context = await browser.createBrowserContext(
    downloadPath === undefined ? {} : { downloadBehavior: { policy: 'allow', downloadPath } },
  );
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
    seen: async (selector) => {
      try {
        await page.waitForSelector(selector, { visible: true });
      } catch (error) {
        const text = await page.$eval('body', (body) => body.innerText);
        throw new Error(`Not at ${page.url()}, which shows:\n${text}`, { cause: error });
      }
    },
    gone: (selector) => page.waitForSelector(selector, { hidden: true }),
    click: (name, element = 'button') => page.locator(written(`self::${element}`, name)).click(),
    fill: (name, value) => page.locator(field(name)).fill(value),
    close: async () => {
      await context.close();
      if (troubles.length > 0) {
        throw new Error(`The page was in trouble:\n${troubles.join('\n')}`);
      }
    },
  };
};
