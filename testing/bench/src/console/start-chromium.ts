import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Starts Debian's Chromium without a window. */
export const startChromium = (): Promise<Browser> => {
  if (!existsSync(executablePath)) {
    throw new Error(`The console is measured in Debian's chromium: install ${executablePath}.`);
  }
  return chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
};
