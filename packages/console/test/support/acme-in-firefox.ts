import { afterAll, beforeAll } from '@jest/globals';
import { bearer, createApi, type Api } from '@commonplace/e2e';
import type { Browser } from 'puppeteer-core';
import { openFirefoxPage, startFirefox, type FirefoxPage } from './firefox.ts';
import { startConsole, type ConsoleUnderTest } from './start-console.ts';

type AcmeInFirefox = {
  /** The address of a page of the company: '' is its dashboard. */
  readonly at: (section: string) => string;
  /** Calls the API as the company's agent. */
  readonly agent: Api;
  readonly subject: () => ConsoleUnderTest;
  /** The one page of the file, in the only profile. */
  readonly opened: () => FirefoxPage;
};

type Options = {
  readonly mode?: 'authenticated' | 'local_trusted';
  /** Where files are downloaded to; without it the browser decides. */
  readonly downloadFolder?: () => string;
};

/** One system and one Firefox for the tests of a file, which share a page: to start them takes most of its time. */
export const acmeInFirefox = ({
  mode = 'local_trusted',
  downloadFolder,
}: Options = {}): AcmeInFirefox => {
  let subject: ConsoleUnderTest;
  let browser: Browser;
  let asAgent: Api;
  let opened: FirefoxPage;
  beforeAll(async () => {
    subject = await startConsole({ mode });
    const { baseUrl } = subject.system;
    asAgent = createApi({ baseUrl, headers: bearer(subject.world.acme.key) });
    browser = await startFirefox();
    opened = await openFirefoxPage(browser, baseUrl, downloadFolder?.());
  }, 240_000);
  afterAll(async () => {
    try {
      await opened.close();
    } finally {
      await browser.close();
      await subject.stop();
    }
  }, 60_000);
  return {
    at: (section) => `/companies/${subject.world.acme.companyId}${section}`,
    agent: (...call) => asAgent(...call),
    subject: () => subject,
    opened: () => opened,
  };
};
