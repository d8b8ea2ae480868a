import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, testIdentity, whileItWaits } from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import { runOperatorCommand } from '../../src/cli/run-operator-command.ts';
import { createPasswords } from '../../src/passwords/passwords.ts';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  pepper,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';

/** Authority that a request had at its start and has lost when it would commit. */
let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.operator('first@example.org');
});
afterAll(() => world.close());

const chosen = 'quiet harbours at dawn';
const reset = 'lanterns along the quay';

/** The service with password hashing that waits for a gate, to hold a change in progress. */
const withSlowHashing = (options: { readonly cost?: number } = {}) => {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const real = createPasswords({ peppers: [pepper], cost: 4, ...options });
  const passwords = {
    ...real,
    hash: async (text: string) => {
      const hashed = await real.hash(text);
      reached.resolve();
      await gate.promise;
      return hashed;
    },
  };
  const deps = { ...world.depsWith(), passwords };
  const app = createApp({ ...deps, verifyIdentity: testIdentity.verifyIdentity });
  return { app, reached: reached.promise, open: gate.resolve };
};

const shell = (words: readonly string[], given: string | null = null) =>
  runOperatorCommand(
    {
      ...world.deps,
      assertKnownPeppers: async () => undefined,
      readPassword: async () => given,
      print: () => undefined,
    },
    words,
  );

const statusOfLogin = async (email: string, secret: string) =>
  (await logIn(world.app, { email, password: secret }, '192.0.2.77')).status;

const sessionsOf = async (email: string) =>
  world.sql(
    `select s.id from auth.sessions s join auth.operators o on o.id = s.operator_id
     where o.email = $1 and s.session_epoch = o.session_epoch`,
    [email],
  );

/** Starts a request and does something else before its password is hashed. */
const interleave = async <Result>(
  send: (app: RequestListener) => PromiseLike<Result>,
  event: () => Promise<unknown>,
): Promise<Result> => {
  const { app, reached, open } = withSlowHashing();
  const pending = Promise.resolve(send(app));
  await reached;
  await event();
  open();
  return pending;
};

const changeBy = async (email: string) => {
  const cookie = await cookieFor(world.app, email);
  const { caller } = await withCookie(world.app, cookie);
  const send = (app: RequestListener) =>
    as(app, caller)
      .put('/api/auth/password')
      .set('cookie', cookie)
      .send({ currentPassword: password, newPassword: chosen });
  return { cookie, caller, send };
};

const events: Readonly<Record<string, (email: string, cookie: string) => Promise<unknown>>> = {
  'a reset from the shell': (email) => shell(['reset-password', email], reset),
  'the disabling from the shell': (email) => shell(['disable', email]),
  'a logout': async (_email, cookie) => {
    const { call } = await withCookie(world.app, cookie);
    await call.post('/api/auth/logout').set('cookie', cookie).expect(204);
  },
  'the end of its session from another device': async (email, cookie) => {
    const { caller } = await withCookie(world.app, cookie);
    const other = await withCookie(world.app, await cookieFor(world.app, email));
    await other.call.delete(`/api/auth/sessions/${caller.sessionId}`).expect(204);
  },
  'the end of all others from another device': async (email) => {
    const other = await withCookie(world.app, await cookieFor(world.app, email));
    await other.call.delete('/api/auth/sessions').expect(204);
  },
  'a change by another device': async (email) => {
    const cookie = await cookieFor(world.app, email);
    const { call } = await withCookie(world.app, cookie);
    await call
      .put('/api/auth/password')
      .set('cookie', cookie)
      .send({ currentPassword: password, newPassword: reset })
      .expect(204);
  },
};

describe('a password change in progress', () => {
  it.each(Object.entries(events))(
    'loses to %s: 401, no session, and the password is not changed',
    async (what, event) => {
      const email = `change-${what.replaceAll(' ', '-')}@example.org`;
      await world.operator(email);
      const { cookie, send } = await changeBy(email);
      const response = await interleave(send, () => event(email, cookie));
      expect([response.status, response.body.code]).toEqual([401, 'session_expired']);
      // Nor is one cleared: the browser may have the session's next one.
      expect(response.headers['set-cookie']).toBeUndefined();
      expect(await verify(world.app, cookie)).toBeNull();
      await shell(['enable', email]);
      expect(await statusOfLogin(email, chosen)).toBe(401);
      const isReplaced = what.startsWith('a reset') || what.startsWith('a change');
      expect(await statusOfLogin(email, isReplaced ? reset : password)).toBe(200);
    },
  );

  it('fails if its session is ended while it waits for the lock', async () => {
    const email = 'change-lock@example.org';
    await world.operator(email);
    const { caller, send } = await changeBy(email);
    const lock = `delete from auth.sessions where id = '${caller.sessionId}'`;
    const response = await whileItWaits({ ...world, lock, end: 'commit' }, () => send(world.app));
    expect(response.status).toBe(401);
    expect(await statusOfLogin(email, password)).toBe(200);
  });

  it('succeeds once for two concurrent sessions', async () => {
    const email = 'change-twice@example.org';
    await world.operator(email);
    const changes = [await changeBy(email), await changeBy(email)];
    const responses = await Promise.all(changes.map(({ send }) => send(world.app)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect(await sessionsOf(email)).toHaveLength(1);
  });

  it('succeeds after revoking the other sessions, or a rehash of its password', async () => {
    const email = 'change-own@example.org';
    await world.operator(email);
    const { caller, send } = await changeBy(email);
    const response = await interleave(send, () =>
      as(world.app, caller).delete('/api/auth/sessions').expect(204),
    );
    expect(response.status).toBe(204);
    const costly = world.appWith({ passwords: { cost: 5 } });
    const second = await withCookie(world.app, cookieOf(response) ?? '');
    await as(costly, second.caller)
      .put('/api/auth/password')
      .set('cookie', cookieOf(response) ?? '')
      .send({ currentPassword: chosen, newPassword: reset })
      .expect(204);
    expect(await statusOfLogin(email, reset)).toBe(200);
  });
});

describe('a sign-in in progress', () => {
  /** The password is verified and hashed again at a higher cost; then something happens. */
  it.each([
    ['a reset from the shell', (email: string) => shell(['reset-password', email], reset), reset],
    ['the disabling from the shell', (email: string) => shell(['disable', email]), password],
    [
      'the end of all others from another device',
      events['the end of all others from another device'],
      password,
    ],
  ] as const)(
    'begins no session after %s, and stores no former password',
    async (what, event, now) => {
      const email = `login-${what.replaceAll(' ', '-')}@example.org`;
      await world.operator(email);
      const { app, reached, open } = withSlowHashing({ cost: 5 });
      const cookiesBefore = (await sessionsOf(email)).length;
      const pending = Promise.resolve(logIn(app, { email, password }));
      await reached;
      await event?.(email, '');
      const activeCount = (await sessionsOf(email)).length;
      open();
      const response = await pending;
      expect([response.status, response.body.code]).toEqual([401, 'invalid_credentials']);
      expect(response.headers['set-cookie']).toBeUndefined();
      expect((await sessionsOf(email)).length).toBe(activeCount);
      expect(cookiesBefore).toBe(0);
      await shell(['enable', email]);
      expect(await statusOfLogin(email, now)).toBe(200);
    },
  );
});

describe('an administrator', () => {
  const administrator = async (email: string) => {
    const { id } = await world.operator(email);
    await shell(['make-admin', email]);
    const cookie = await cookieFor(world.app, email);
    const { caller } = await withCookie(world.app, cookie);
    const patch = (target: string, body: object) =>
      as(world.app, caller).patch(`/api/auth/operators/${target}`).set('cookie', cookie).send(body);
    return { id, caller, patch };
  };
  const stateOf = async (id: string) => {
    const [row] = await world.sql(
      'select is_admin, disabled_at is not null as disabled from auth.operators where id = $1',
      [id],
    );
    return row;
  };

  it('who was disabled and demoted in the meantime cannot promote itself', async () => {
    const { id, patch } = await administrator('mallory@example.org');
    const other = await administrator('alice@example.org');
    await other.patch(id, { disabled: true, isAdmin: false }).expect(200);
    const response = await patch(id, { disabled: false, isAdmin: true });
    expect([response.status, response.body.code]).toEqual([401, 'session_expired']);
    expect(await stateOf(id)).toEqual({ is_admin: false, disabled: true });
  });

  it('who was only demoted changes nobody: 403', async () => {
    const { id, patch } = await administrator('demoted@example.org');
    const other = await administrator('other@example.org');
    await other.patch(id, { isAdmin: false }).expect(200);
    for (const target of [id, other.id]) {
      const response = await patch(target, { isAdmin: true });
      expect([response.status, response.body.code]).toEqual([403, 'administrator_only']);
    }
    expect(await stateOf(id)).toEqual({ is_admin: false, disabled: false });
  });

  it('whose flag is cleared while the change waits for a lock changes nobody', async () => {
    const { id, patch } = await administrator('waiting@example.org');
    const lock = `update auth.operators set is_admin = false where id = '${id}'`;
    const response = await whileItWaits({ ...world, lock, end: 'commit' }, () =>
      patch(id, { isAdmin: true }),
    );
    expect(response.body.code).toBe('administrator_only');
    expect(await stateOf(id)).toEqual({ is_admin: false, disabled: false });
  });

  it('and another who demote each other: one remains, the other changes nothing', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [one, two] = [
        await administrator(`one-${round}@example.org`),
        await administrator(`two-${round}@example.org`),
      ];
      const responses = await Promise.all([
        one.patch(two.id, { isAdmin: false }),
        two.patch(one.id, { isAdmin: false }),
      ]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      const states = [await stateOf(one.id), await stateOf(two.id)];
      expect(states.filter((state) => state?.['is_admin'] === true)).toHaveLength(1);
    }
  });
});

describe('a session that has ended in the meantime', () => {
  it('revokes no other: 401', async () => {
    const email = 'ended@example.org';
    await world.operator(email);
    const { caller, call } = await withCookie(world.app, await cookieFor(world.app, email));
    const kept = await cookieFor(world.app, email);
    const { caller: keeper, call: byKeeper } = await withCookie(world.app, kept);
    await byKeeper.delete(`/api/auth/sessions/${caller.sessionId}`).expect(204);
    for (const path of ['', `/${keeper.sessionId}`]) {
      const response = await call.delete(`/api/auth/sessions${path}`);
      expect([response.status, response.body.code]).toEqual([401, 'session_expired']);
    }
    expect(await verify(world.app, kept)).not.toBeNull();
  });
});
