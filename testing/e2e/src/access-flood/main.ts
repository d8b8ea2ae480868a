import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { startSystem } from '@commonplace/standalone';
import { bearer, createApi } from '../call-api.ts';
import { challengeOf, setUpApp } from '../factors/authenticator-app.ts';
import { addPasskey } from '../factors/device.ts';
import { clientId, clientSecret, startIdentityProvider } from '../oidc/identity-provider.ts';
import { logoutClaims } from '../oidc/logout-token.ts';
import { signIn } from '../sign-in.ts';
import { inviteMember, makeCompany, memberPassword } from '../world.ts';
import { connectFloods } from './connect-floods.ts';
import { sendRepeatedly, type LoadClient, type Figures } from './send-repeatedly.ts';

/**
 * `pnpm bench:access`: the effect of floods on other callers. Traffic with a valid key is measured alone, beside
 * 16 clients that only sign in (and the sign-ins of the administrator beside 24 of one account), guess codes or passkeys, begin single sign-on, or forge logout tokens, and beside
 * 32 that present a new forged key each time. The clients share the machine with the system.
 */
const board = { email: 'board@example.org', password: 'seven grey herons waiting' } as const;
const loginClients = 16;
const forgers = 32;
const guessers = 16;
const flooders = 24;
const seconds = 10;

type Sent = ReturnType<LoadClient['next']>;

const provider = await startIdentityProvider();
/** Signs tokens with a key that the provider does not publish. */
const elsewhere = await startIdentityProvider();
const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-flood-'));
const system = await startSystem({
  dataDir,
  mode: 'authenticated',
  output: () => undefined,
  env: {
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_PER_SECOND: '0',
    BOOTSTRAP_OPERATOR_EMAIL: board.email,
    BOOTSTRAP_OPERATOR_PASSWORD: board.password,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  },
});
const { baseUrl } = system;
provider.admit(baseUrl);

const print = (name: string, { perSecond, p50Ms, p99Ms, statuses }: Figures): void => {
  const [rate, p50, p99] = [perSecond, p50Ms, p99Ms].map((figure) => figure.toFixed(1));
  process.stdout.write(
    `${name}: ${rate}/s, p50 ${p50} ms, p99 ${p99} ms, ${JSON.stringify(statuses)}\n`,
  );
};

try {
  const api = createApi({ baseUrl, headers: await signIn({ baseUrl, ...board }) });
  const company = await makeCompany(api, 'Flooded', { baseUrl, withInvite: false });
  const emails = Array.from({ length: loginClients }, (_unused, index) => `m${index}@example.org`);
  for (const email of emails) {
    await inviteMember(api, company, { baseUrl, email, role: 'viewer' });
  }
  const from = (localAddress: string, clients: number): Omit<LoadClient, 'next'> => ({
    url: baseUrl,
    clients,
    seconds,
    localAddress,
  });
  const good = (): Promise<Figures> =>
    sendRepeatedly({
      ...from('127.0.0.1', 4),
      next: () => ({ method: 'GET', path: '/api/agents/me', headers: bearer(company.key) }),
    });
  const logins = (): Promise<Figures> =>
    sendRepeatedly({
      ...from('127.0.0.1', loginClients),
      next: (client) => ({
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json', origin: baseUrl },
        body: JSON.stringify({ email: emails[client], password: memberPassword }),
      }),
    });
  const forged = async (): Promise<Figures> => {
    const worker = new Worker(new URL('forge-keys.ts', import.meta.url), {
      workerData: from('127.0.0.1', forgers),
    });
    const [figures] = (await once(worker, 'message')) as [Figures];
    return figures;
  };

  await good();
  print('Good key alone', await good());
  const [beside, signedIn] = await Promise.all([good(), logins()]);
  print(`Good key beside ${loginClients} clients that sign in`, beside);
  print('  their sign-ins', signedIn);
  const signInsOf = (
    { email, password }: { readonly email: string; readonly password: string },
    origin: Omit<LoadClient, 'next'>,
  ): Promise<Figures> =>
    sendRepeatedly({
      ...origin,
      next: () => ({
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json', origin: baseUrl },
        body: JSON.stringify({ email, password }),
      }),
    });
  const flooding = { email: emails[1] ?? '', password: memberPassword };
  const [ofBoard, ofOne] = await Promise.all([
    signInsOf(board, from('127.0.0.2', 1)),
    signInsOf(flooding, from('127.0.0.1', flooders)),
  ]);
  print(`Sign-ins of the administrator beside ${flooders} clients of one account`, ofBoard);
  print('  their right sign-ins', ofOne);
  const first = emails[0] ?? '';
  const account = { baseUrl, email: first, password: memberPassword };
  const member = createApi({ baseUrl, headers: await signIn(account) });
  const app = await setUpApp(member);
  const challenge = await challengeOf(account);
  const device = await addPasskey(member, baseUrl);
  const response = await device.prove(baseUrl);
  const guesses = (path: string, body: object): Promise<Figures> =>
    sendRepeatedly({
      ...from('127.0.0.1', guessers),
      next: () => ({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', origin: baseUrl },
        body: JSON.stringify(body),
      }),
    });
  const kinds: [string, string, object][] = [
    ['codes', '/api/auth/login/second-factor', { challenge, code: app.wrong() }],
    ['passkeys', '/api/auth/login/passkey', { response }],
    ['passkey options', '/api/auth/login/passkey/options', {}],
  ];
  for (const [name, path, body] of kinds) {
    const [besideGuesses, guessed] = await Promise.all([good(), guesses(path, body)]);
    print(`Good key beside ${guessers} clients that guess ${name}`, besideGuesses);
    print('  their guesses', guessed);
  }
  const who = { sub: 'nobody' };
  const forgedToken = await elsewhere.sign(logoutClaims(provider.issuer, who));
  const floods: [string, () => Sent][] = [
    ['begin single sign-on', () => ({ method: 'GET', path: '/api/auth/oidc/start', headers: {} })],
    [
      'forge logout tokens',
      () => ({
        method: 'POST',
        path: '/api/auth/oidc/backchannel-logout',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: forgedToken }).toString(),
      }),
    ],
  ];
  for (const [name, next] of [...floods, ...(await connectFloods(baseUrl))]) {
    const flood = sendRepeatedly({ ...from('127.0.0.1', guessers), next });
    const [besideFlood, flooded] = await Promise.all([good(), flood]);
    print(`Good key beside ${guessers} clients that ${name}`, besideFlood);
    print('  their requests', flooded);
  }
  const [besideForgers, refused] = await Promise.all([good(), forged()]);
  print(`Good key beside ${forgers} clients with forged keys, same address`, besideForgers);
  print('  their requests', refused);
} finally {
  await system.stop();
  await provider.stop();
  await elsewhere.stop();
  await rm(dataDir, { recursive: true, force: true });
}
