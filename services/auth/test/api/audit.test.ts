import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuthenticator } from '@commonplace/testkit/authenticator';
import { as } from '@commonplace/testkit';
import { Secret, TOTP } from 'otpauth';
import { routes } from '../../src/routes/index.ts';
import { cookieFor, createWorld, password, withCookie, type World } from '../support/auth-world.ts';

let world: World;
let administrator: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  world = await createWorld();
  administrator = await signedIn('first@example.org');
});
afterAll(() => world.close());

const signedIn = async (email: string) => {
  const { id } = await world.operator(email);
  return { id, email, ...(await withCookie(world.app, await cookieFor(world.app, email))) };
};
type Operator = Awaited<ReturnType<typeof signedIn>>;

const addApp = async ({ call }: Operator) => {
  const begun = await call.post('/api/auth/totp').expect(200);
  const { secret } = begun.body as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = totp.generate({ timestamp: world.clock().getTime() });
  await call.post('/api/auth/totp/confirm').send({ code }).expect(200);
};

const addPasskey = async ({ call }: Operator): Promise<string> => {
  const begun = await call.post('/api/auth/passkeys/options').send({}).expect(200);
  const { options } = begun.body as { options: { challenge: string } };
  const response = createAuthenticator().register(options.challenge);
  const made = await call.post('/api/auth/passkeys').send({ name: 'Phone', response }).expect(201);
  return `/api/auth/passkeys/${(made.body as { id: string }).id}`;
};

const addIdentity = async ({ id }: Operator): Promise<string> => {
  const [row] = await world.sql(
    `insert into auth.identities (id, operator_id, issuer, subject, created_at)
     values (gen_random_uuid(), $1::uuid, 'https://provider.example', $2, now()) returning id`,
    [id, `subject of ${id}`],
  );
  return `/api/auth/identities/${String(row?.['id'])}`;
};

const handoverToken = async ({ id }: Operator): Promise<string> => {
  const begun = await administrator.call.post(`/api/auth/operators/${id}/handover`).expect(201);
  return (begun.body as { token: string }).token;
};

const visitor = () => as(world.app, null);

/** Changes by each route, and the action that each leaves. */
const changes: Readonly<
  Record<string, readonly [action: string, change: (operator: Operator) => Promise<unknown>]>
> = {
  updateOperator: [
    'operator.disabled',
    ({ id }) =>
      administrator.call.patch(`/api/auth/operators/${id}`).send({ disabled: true }).expect(200),
  ],
  beginHandover: ['handover.begun', handoverToken],
  acceptHandover: [
    'handover.taken',
    async (operator) =>
      visitor()
        .post('/api/auth/handovers/accept')
        .send({ token: await handoverToken(operator), password: 'quiet harbours at dawn' })
        .expect(200),
  ],
  acceptInvite: [
    'operator.created',
    async () =>
      visitor()
        .post('/api/auth/invites/accept')
        .send({ token: world.agents.invite('invited@example.org'), name: 'Ivy', password })
        .expect(200),
  ],
  changePassword: [
    'password.changed',
    ({ call }) =>
      call
        .put('/api/auth/password')
        .send({ currentPassword: password, newPassword: 'quiet harbours at dawn' })
        .expect(204),
  ],
  reauthenticate: [
    'session.reauthenticated',
    ({ call }) => call.post('/api/auth/reauthenticate').send({ password }).expect(204),
  ],
  confirmTotp: ['totp.added', addApp],
  deleteTotp: [
    'totp.removed',
    async (operator) => {
      await addApp(operator);
      await operator.call.delete('/api/auth/totp').expect(204);
    },
  ],
  createPasskey: ['passkey.added', addPasskey],
  updatePasskey: [
    'passkey.renamed',
    async (operator) =>
      operator.call
        .patch(await addPasskey(operator))
        .send({ name: 'Laptop' })
        .expect(200),
  ],
  deletePasskey: [
    'passkey.removed',
    async (operator) => operator.call.delete(await addPasskey(operator)).expect(204),
  ],
  unlinkIdentity: [
    'identity.unlinked',
    async (operator) => operator.call.delete(await addIdentity(operator)).expect(204),
  ],
  revokeSession: [
    'session.revoked',
    async ({ email, call }) => {
      const { caller } = await withCookie(world.app, await cookieFor(world.app, email));
      await call.delete(`/api/auth/sessions/${String(caller.sessionId)}`).expect(204);
    },
  ],
  revokeOtherSessions: [
    'session.revoked',
    async ({ email, call }) => {
      await cookieFor(world.app, email);
      await call.delete('/api/auth/sessions').expect(204);
    },
  ],
};

/** Routes that leave no entry of their own, and why. */
const withoutEntry: Readonly<Record<string, string>> = {
  logIn: 'a sign-in: the sign-in history has it',
  logInWithSecondFactor: 'a sign-in: the sign-in history has it',
  logInWithPasskeyOptions: 'changes no account',
  logInWithPasskey: 'a sign-in: the sign-in history has it',
  logOut: 'ends only the session of the request',
  backchannelLogout: 'the provider ends sessions that it began; no account changes',
  createTotp: 'counts for nothing until it is confirmed',
  createPasskeyOptions: 'changes no account',
  linkIdentity: 'begins an attempt; the callback links, and leaves the entry',
  describeInvite: 'reads an invite; its token is in the body',
  describeHandover: 'reads a handover; its token is in the body',
  checkSetupToken: 'reads; its token is in the body',
  startInviteSignIn: 'begins an attempt; the callback accepts, and leaves the entry',
  setUp: 'works once in an instance, which this one has behind it',
  decideConsent: 'makes a connection of a company: its audit log has it',
  registerClient: 'a client is no account, and may do nothing before an operator consents',
  exchangeToken: 'exchanges what an operator consented to',
  revokeToken: 'ends a connection of a company: its audit log has it',
};

describe('every route that changes accounts', () => {
  it('is known here, with its entry or why it leaves none', () => {
    const changing = routes(world.deps)
      .map(({ contract }) => contract)
      .filter(({ method, path }) => method !== 'get' && !path.startsWith('/internal/'));
    const known = [...Object.keys(changes), ...Object.keys(withoutEntry)];
    expect(changing.map(({ operationId }) => operationId).toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries(changes))('leaves an entry: %s', async (operationId, [action, change]) => {
    const operator = await signedIn(`${operationId.toLowerCase()}@example.org`);
    const before = await world.sql('select id from auth.instance_activity');
    await change(operator);
    const added = await world.sql(
      'select action from auth.instance_activity where not id = any ($1::uuid[])',
      [before.map(({ id }) => id)],
    );
    expect(added.map((entry) => entry['action'])).toContain(action);
  });
});
