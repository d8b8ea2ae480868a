import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts a headless browser that resolves every name in `hosts` to this machine. */
export const startBrowser = (hosts: readonly string[]): Promise<Browser> => {
  const executablePath = programs.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('Chromium is not installed: on Debian, apt-get install chromium');
  }
  return chromium.launch({
    executablePath,
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
      // New browsers prompt before a page may reach this machine; old ones do not, so tests must not rely on it.
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ')}`,
    ],
  });
};
