import { existsSync } from 'node:fs';
import { requireOutside } from '@commonplace/testkit/require-outside';
import type * as Playwright from 'playwright-core';

/** The shell has no window to draw and no new tab to load, so pages take half the time. */
const programs = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const disabledFeatures = [
  // New browsers prompt before a page may reach this machine; old ones do not, so tests must not rely on it.
  'LocalNetworkAccessChecks',
  'BlockInsecurePrivateNetworkRequests',
  // With it, closing a page that is about to show another one never ends (https://crbug.com/536385539).
  'RenderDocument',
];

/** Long, because a browser starts beside the systems of other tests, on two cores. */
const launchMsMax = 90_000;

/** The path of a Chromium on this machine. */
export const browserProgram = (): string => {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) {
    throw new Error(
      'Pages are tested in a real browser: on Debian, apt-get install chromium-headless-shell',
    );
  }
  return program;
};

/** Starts a headless browser that resolves every name in `hosts` to this machine. */
export const startBrowser = (hosts: readonly string[] = []): Promise<Playwright.Browser> => {
  const executablePath = browserProgram();
  const playwright = requireOutside(import.meta.filename, 'playwright-core') as typeof Playwright;
  return playwright.chromium.launch({
    executablePath,
    timeout: launchMsMax,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-popup-blocking',
      `--disable-features=${disabledFeatures.join(',')}`,
      ...(hosts.length > 0
        ? [`--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ')}`]
        : []),
    ],
  });
};
