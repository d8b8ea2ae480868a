import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkOperatorContract } from '@commonplace/contracts';
import type { OperatorCaller } from '@commonplace/identity';
import { sessionId } from '@commonplace/contracts/core';
import { as, localOperatorCaller, serviceCaller, whileItWaits } from '@commonplace/testkit';
import { Secret, TOTP } from 'otpauth';
import { renewedSessionId } from '../../src/policy/renewed-session-id.ts';
import {
  callerOf,
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  setCookiesOf,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.operator('first@example.org');
});
afterAll(() => world.close());

const path = '/api/auth/reauthenticate';
const newPassword = 'quiet harbours at dawn';
const sixteenMinutes = 16 * 60;

const signedIn = async (email: string) => {
  const { id } = await world.operator(email);
  const cookie = await cookieFor(world.app, email);
  const { caller, call } = await withCookie(world.app, cookie);
  const changePassword = () =>
    call.put('/api/auth/password').send({ currentPassword: password, newPassword });
  return { id, caller, call, cookie, changePassword };
};

const administrator = async (email: string) => {
  await signedIn(email);
  await world.sql('update auth.operators set is_admin = true where email = $1', [email]);
  const cookie = await cookieFor(world.app, email);
  const { caller, call } = await withCookie(world.app, cookie);
  world.passSeconds(sixteenMinutes);
  const confirm = () => call.post(path).send({ password });
  const changePassword = () =>
    call.put('/api/auth/password').send({ currentPassword: password, newPassword });
  return { caller, call, cookie, confirm, changePassword };
};

/** What the auth service reports to the agents service of a session. */
const check = async (caller: OperatorCaller | null) => {
  const { body } = await as(world.app, serviceCaller('agents'))
    .post(checkOperatorContract.path)
    .send({ operatorId: caller?.operatorId, sessionId: caller?.sessionId });
  return body as unknown;
};

describe('a sign-in of more than 15 minutes ago', () => {
  it('may not change the password until it is confirmed', async () => {
    const { call, changePassword } = await signedIn('password@example.org');
    world.passSeconds(sixteenMinutes);
    const refused = await changePassword();
    expect(refused.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
    await call.post(path).send({ password }).expect(204);
    await changePassword().expect(204);
  });

  it('may not make or enable an administrator, and may do the rest', async () => {
    await signedIn('admin@example.org');
    await world.sql("update auth.operators set is_admin = true where email = 'admin@example.org'");
    const { call } = await withCookie(world.app, await cookieFor(world.app, 'admin@example.org'));
    const other = await world.operator('other@example.org');
    const change = (body: object) => call.patch(`/api/auth/operators/${other.id}`).send(body);
    world.passSeconds(sixteenMinutes);
    const refused = await change({ isAdmin: true });
    expect(refused.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
    await change({ disabled: true }).expect(200);
    await change({ disabled: false }).expect(200);
    await world.sql(
      'update auth.operators set is_admin = true, disabled_at = now() where id = $1',
      [other.id],
    );
    await change({ disabled: false }).expect(403);
    await call.post(path).send({ password }).expect(204);
    await change({ disabled: false }).expect(200);
  });

  it('is reported to the agents service, which decides on roles and keys', async () => {
    const { caller, call } = await signedIn('reported@example.org');
    const recent = { isActive: true, hasRecentSignIn: true };
    expect(await check(caller)).toMatchObject(recent);
    world.passSeconds(sixteenMinutes);
    expect(await check(caller)).toMatchObject({ isActive: true, hasRecentSignIn: false });
    const confirmed = await call.post(path).send({ password }).expect(204);
    expect(await check(await callerOf(world.app, cookieOf(confirmed) ?? ''))).toMatchObject(recent);
    expect(await check(caller)).toMatchObject({ isActive: false, hasRecentSignIn: false });
  });

  it('counts from the start of a session of the release before', async () => {
    const { caller, changePassword } = await signedIn('before@example.org');
    await world.sql('update auth.sessions set authenticated_at = null where id = $1', [
      caller.sessionId,
    ]);
    await changePassword().expect(204);
  });
});

describe('confirming', () => {
  it('gives the session a new cookie: a copy of the former one has ended, on every replica', async () => {
    const { call, cookie, caller } = await signedIn('copied@example.org');
    world.passSeconds(sixteenMinutes);
    const confirmed = await call.post(path).send({ password }).expect(204);
    const renewed = cookieOf(confirmed) ?? '';
    expect(renewed).not.toBe(cookie);
    for (const app of [world.app, world.appWith()]) {
      expect(await verify(app, cookie)).toBeNull();
      expect(await verify(app, renewed)).toMatchObject({ operatorId: caller.operatorId });
    }
  });

  it('gives it a new id: who was identified by the former one may do nothing more, from the commit on', async () => {
    const { cookie, caller, changePassword, confirm } = await administrator('thief@example.org');
    const { id } = await world.operator('promoted@example.org');
    const former = as(world.app, caller);
    const attempts = () => [
      former.patch(`/api/auth/operators/${id}`).send({ isAdmin: true }),
      former.post(`/api/auth/operators/${id}/handover`),
      former.post('/api/auth/passkeys/options').send({}),
      former.post('/api/auth/totp').send({}),
      former.delete('/api/auth/sessions'),
      former.put('/api/auth/password').send({ currentPassword: password, newPassword }),
      former.post(path).send({ password }),
    ];
    const before = await attempts()[0];
    expect(before?.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
    await confirm().expect(204);
    for (const attempt of attempts()) {
      const response = await attempt.set('cookie', cookie);
      expect(response.body).toMatchObject({ status: 401, code: 'session_expired' });
      // It would clear the new cookie of the browser.
      expect(setCookiesOf(response)).toEqual([]);
    }
    await changePassword().expect(204);
  });

  it('that fails to commit leaves the cookie and what it may do as they were', async () => {
    const { caller, cookie, confirm } = await administrator('uncommitted@example.org');
    await world.sql(`
      create function pg_temp.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not committed'; end $$;
      create constraint trigger refuse after update on auth.sessions
        deferrable initially deferred for each row execute function pg_temp.refuse()`);
    const failed = await confirm();
    await world.sql('drop trigger refuse on auth.sessions');
    expect([failed.status, setCookiesOf(failed)]).toEqual([500, []]);
    expect(await verify(world.app, cookie)).toMatchObject({ sessionId: caller.sessionId });
    expect(await check(caller)).toMatchObject({ isActive: true, hasRecentSignIn: false });
    await confirm().expect(204);
  });

  it('keeps the place of the session among the others, which can end it by its former id', async () => {
    const { caller, call, cookie } = await signedIn('placed@example.org');
    const second = await withCookie(world.app, await cookieFor(world.app, 'placed@example.org'));
    const renewed = cookieOf(await call.post(path).send({ password }).expect(204)) ?? '';
    const { body } = await second.call.get('/api/auth/sessions').expect(200);
    const items = (body as { items: { id: string; current: boolean }[] }).items;
    expect(items.map(({ current }) => current)).toEqual([true, false]);
    expect(items[1]?.id).not.toBe(caller.sessionId);
    await second.call.delete(`/api/auth/sessions/${caller.sessionId}`).expect(204);
    expect(await verify(world.app, renewed)).toBeNull();
    expect(await verify(world.app, cookie)).toBeNull();
    await second.call.delete(`/api/auth/sessions/${caller.sessionId}`).expect(404);
    await second.call.get('/api/auth/sessions').expect(200);
  });

  it('does not keep the session from signing out with a request of before', async () => {
    const { caller, call, cookie } = await signedIn('leaving@example.org');
    const renewed = cookieOf(await call.post(path).send({ password }).expect(204)) ?? '';
    await as(world.app, caller).post('/api/auth/logout').set('cookie', cookie).expect(204);
    expect(await verify(world.app, renewed)).toBeNull();
  });

  it('does not keep a sign-out beside it from ending the session', async () => {
    const { caller, cookie } = await signedIn('leaving-beside@example.org');
    const next = renewedSessionId(sessionId.parse(caller.sessionId));
    const lock = `select from auth.operators where id = '${caller.operatorId}' for no key update;
      update auth.sessions set id = '${next}', sid = '${'0'.repeat(64)}' where id = '${caller.sessionId}'`;
    const left = await whileItWaits({ ...world, lock, end: 'commit' }, () =>
      as(world.app, caller).post('/api/auth/logout').set('cookie', cookie),
    );
    expect(left.status).toBe(204);
    expect(await world.sql('select from auth.sessions where id = $1', [next])).toEqual([]);
  });

  it('counts wrong passwords as failed sign-ins', async () => {
    const { call } = await signedIn('wrong@example.org');
    for (let count = 0; count < 5; count += 1) {
      const response = await call.post(path).send({ password: 'not the right one' });
      expect(response.body).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
        detail: 'The password is wrong.',
      });
    }
    const throttled = await call.post(path).send({ password });
    expect(throttled.body).toMatchObject({ status: 429, code: 'login_throttled' });
  });

  it('is 401 when the session has ended, and confirms no other session', async () => {
    const { call, caller } = await signedIn('ended@example.org');
    const other = await withCookie(world.app, await cookieFor(world.app, 'ended@example.org'));
    world.passSeconds(sixteenMinutes);
    await call.post(path).send({ password }).expect(204);
    await other.call
      .put('/api/auth/password')
      .send({ currentPassword: password, newPassword: 'quiet harbours at dawn' })
      .expect(403);
    await world.sql('delete from auth.sessions where operator_id = $1', [caller.operatorId]);
    const response = await call.post(path).send({ password });
    expect(response.body).toMatchObject({ status: 401, code: 'session_expired' });
  });

  it('is 409 for the local board operator, who never needs it', async () => {
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await as(app, localOperatorCaller()).post(path).send({ password });
    expect(response.body).toMatchObject({ status: 409, code: 'local_trusted' });
  });

  it('400 for a body that is not valid', async () => {
    const { call } = await signedIn('body@example.org');
    await call.post(path).send({}).expect(400);
    await call.post(path).send({ password, more: 1 }).expect(400);
    await logIn(world.app, { email: 'body@example.org', password }).expect(200);
  });
});

describe('the session that sets up a required factor', () => {
  it('gets a new cookie and id in the same transaction: the former ones are not let out', async () => {
    const app = world.appWith({ requiresSecondFactor: true });
    const { cookie } = await signedIn('let-out@example.org');
    const { caller, call } = await withCookie(app, cookie);
    const { secret } = (await call.post('/api/auth/totp')).body as { secret: string };
    const confirmation = '/api/auth/totp/confirm';
    const wrong = await call.post(confirmation).send({ code: '000000' });
    expect([wrong.status, setCookiesOf(wrong)]).toEqual([401, []]);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = totp.generate({ timestamp: world.clock().getTime() });
    const confirmed = await call.post(confirmation).send({ code });
    const renewed = cookieOf(confirmed) ?? '';
    expect(await verify(app, renewed)).not.toHaveProperty('mustEnrol');
    expect(await verify(app, cookie)).toBeNull();
    await as(app, caller).delete('/api/auth/sessions').expect(401);
    expect(await verify(app, renewed)).not.toBeNull();
  });
});
