import { createApi } from '../call-api.ts';
import { challengeOf, setUpApp } from '../factors/authenticator-app.ts';
import { addPasskey } from '../factors/device.ts';
import { signIn } from '../sign-in.ts';
import { inviteMember, memberPassword } from '../world.ts';
import { besideFlood, clientsFrom, type FloodWorld } from './flood-world.ts';
import { countOf } from './report.ts';
import { sendRepeatedly, type Figures, type LoadClient } from './send-repeatedly.ts';

const signers = 16;
const guessers = 16;
const flooders = 24;

/** A person does not sign in more often, and right passwords have a limit too. */
const boardPauseMs = 700;

export type Account = { readonly email: string; readonly password: string };

/** Measures a valid key, and the sign-ins of the administrator, beside clients that sign in or guess. */
export const measureSignInFloods = async (world: FloodWorld, board: Account): Promise<void> => {
  const { api } = await world.signInAsBoard();
  const members: Account[] = [];
  for (let index = 0; index < signers; index += 1) {
    const email = `m${index}@example.org`;
    const invited = { baseUrl: world.system.baseUrl, email, role: 'viewer' } as const;
    await inviteMember(api, world.neighbour, invited);
    members.push({ email, password: memberPassword });
  }
  const [first, second] = members as [Account, Account];
  const signInsOf = (accounts: readonly Account[], load: Omit<LoadClient, 'next'>) =>
    sendRepeatedly({ ...load, next: (client) => logIn(world, accounts, client) });
  await besideFlood(world, {
    name: `${signers} clients that sign in`,
    flood: () => signInsOf(members, clientsFrom(world, '127.0.0.1', signers)),
  });
  await besideOneAccount(world, { board, flooding: second, signInsOf });
  await guess(world, first);
};

const logIn = ({ system: { baseUrl } }: FloodWorld, accounts: readonly Account[], client: number) =>
  ({
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify(accounts[client % accounts.length]),
  }) as const;

type OneAccount = {
  readonly board: Account;
  readonly flooding: Account;
  readonly signInsOf: (
    accounts: readonly Account[],
    load: Omit<LoadClient, 'next'>,
  ) => Promise<Figures>;
};

/** The sign-ins of the administrator beside many right ones of a single account. */
const besideOneAccount = async (
  world: FloodWorld,
  { board, flooding, signInsOf }: OneAccount,
): Promise<void> => {
  const { report } = world;
  const load = { ...clientsFrom(world, '127.0.0.2', 1), pauseMs: boardPauseMs };
  const alone = await signInsOf([board], { ...load, seconds: 4 });
  const [during, ofOne] = await Promise.all([
    signInsOf([board], load),
    signInsOf([flooding], clientsFrom(world, '127.0.0.1', flooders)),
  ]);
  const what = `sign-ins of the administrator beside ${flooders} clients of one account`;
  report.print(`The ${what}`, during);
  report.print('  their right sign-ins', ofOne);
  report.add(
    { what: `${what}, p50`, unit: 'ms', alone: alone.p50Ms, during: during.p50Ms },
    {
      what: `${what}, refused`,
      unit: 'responses',
      alone: refused(alone),
      during: refused(during),
      target: { of: 'value', atMost: 0 },
    },
  );
};

const refused = ({ statuses }: Figures): number => countOf(statuses, (status) => status !== '200');

const guess = async (world: FloodWorld, { email, password }: Account): Promise<void> => {
  const { baseUrl } = world.system;
  const account = { baseUrl, email, password };
  const member = createApi({ baseUrl, headers: await signIn(account) });
  const app = await setUpApp(member);
  const challenge = await challengeOf(account);
  const device = await addPasskey(member, baseUrl);
  const response = await device.prove(baseUrl);
  const kinds: [string, string, object][] = [
    ['codes', '/api/auth/login/second-factor', { challenge, code: app.wrong() }],
    ['passkeys', '/api/auth/login/passkey', { response }],
    ['passkey options', '/api/auth/login/passkey/options', {}],
  ];
  for (const [name, path, body] of kinds) {
    await besideFlood(world, {
      name: `${guessers} clients that guess ${name}`,
      flood: () =>
        sendRepeatedly({
          ...clientsFrom(world, '127.0.0.1', guessers),
          next: () => ({
            method: 'POST',
            path,
            headers: { 'content-type': 'application/json', origin: baseUrl },
            body: JSON.stringify(body),
          }),
        }),
    });
  }
};
