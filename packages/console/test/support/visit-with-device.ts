import type { BrowserContextOptions } from 'playwright-core';
import type { Visitor } from './browser.ts';
import type { EmptyConsole } from './start-console.ts';

/** Opens a browser whose device has an authenticator that verifies its user, at a host name. */
export const visitWithDevice = async (
  { system, visit }: EmptyConsole,
  profile: BrowserContextOptions = {},
): Promise<Visitor> => {
  const { port } = new URL(system.baseUrl);
  const visitor = await visit({ baseURL: `http://localhost:${port}`, ...profile });
  const { page } = visitor;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return visitor;
};
