import { startIdentityProvider } from '../oidc/identity-provider.ts';
import { logoutClaims } from '../oidc/logout-token.ts';
import { besideFlood, clientsFrom, type FloodWorld } from './flood-world.ts';
import { sendRepeatedly, type SentRequest } from './send-repeatedly.ts';

const clients = 16;

/** Measures a valid key beside clients that begin single sign-on, or forge logout tokens of the provider. */
export const measureIdentityFloods = async (world: FloodWorld, issuer: string): Promise<void> => {
  /** Signs tokens with a key that the provider does not publish. */
  const elsewhere = await startIdentityProvider();
  const forgedToken = await elsewhere.sign(logoutClaims(issuer, { sub: 'nobody' }));
  await elsewhere.stop();
  const floods: [string, SentRequest][] = [
    ['begin single sign-on', { method: 'GET', path: '/api/auth/oidc/start', headers: {} }],
    [
      'forge logout tokens',
      {
        method: 'POST',
        path: '/api/auth/oidc/backchannel-logout',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: forgedToken }).toString(),
      },
    ],
  ];
  for (const [name, request] of floods) {
    await besideFlood(world, {
      name: `${clients} clients that ${name}`,
      flood: () =>
        sendRepeatedly({ ...clientsFrom(world, '127.0.0.1', clients), next: () => request }),
    });
  }
};
