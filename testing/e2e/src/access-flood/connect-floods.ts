import { authorizationPath, redirectUri, registerByScript, sendTo } from '../connect-by-script.ts';
import { besideFlood, clientsFrom, type FloodWorld } from './flood-world.ts';
import { sendRepeatedly, type SentRequest } from './send-repeatedly.ts';

const clients = 16;

const post = (path: string, headers: SentRequest['headers'], body: string): SentRequest => ({
  method: 'POST',
  path,
  headers,
  body,
});

/** The names of the floods, and the requests of each. */
const connectFloods = async (
  baseUrl: string,
): Promise<readonly (readonly [string, () => SentRequest])[]> => {
  const clientId = await registerByScript(sendTo(baseUrl));
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const registration = JSON.stringify({
    client_name: 'Flood',
    redirect_uris: ['https://flood.example/callback'],
  });
  const forgedCode = (): string =>
    new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: `${Math.random()}`.padEnd(43, 'x'),
      code_verifier: 'x'.repeat(43),
      redirect_uri: redirectUri,
    }).toString();
  const forgedRefresh = (): string =>
    new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: `${Math.random()}`.padEnd(43, 'x'),
    }).toString();
  return [
    ['register apps', () => post('/connect/register', json, registration)],
    ['exchange forged codes', () => post('/connect/token', form, forgedCode())],
    ['exchange forged refresh tokens', () => post('/connect/token', form, forgedRefresh())],
    [
      'begin authorizations',
      () => {
        const { path } = authorizationPath(clientId, `${baseUrl}/connect/mcp`);
        return { method: 'GET', path, headers: {} };
      },
    ],
  ];
};

/** Measures a valid key beside floods of the authorization server without a credential. */
export const measureConnectFloods = async (world: FloodWorld): Promise<void> => {
  for (const [name, next] of await connectFloods(world.system.baseUrl)) {
    await besideFlood(world, {
      name: `${clients} clients that ${name}`,
      flood: () => sendRepeatedly({ ...clientsFrom(world, '127.0.0.1', clients), next }),
    });
  }
};
