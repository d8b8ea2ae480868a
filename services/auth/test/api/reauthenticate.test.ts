import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkOperatorContract } from '@commonplace/contracts';
import { as, localOperatorCaller, serviceCaller } from '@commonplace/testkit';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
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
const sixteenMinutes = 16 * 60;

const signedIn = async (email: string) => {
  const { id } = await world.operator(email);
  const cookie = await cookieFor(world.app, email);
  const { caller, call } = await withCookie(world.app, cookie);
  const changePassword = () =>
    call
      .put('/api/auth/password')
      .send({ currentPassword: password, newPassword: 'quiet harbours at dawn' });
  return { id, caller, call, cookie, changePassword };
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
    const check = async () => {
      const { operatorId, sessionId } = caller;
      const response = await as(world.app, serviceCaller('agents'))
        .post(checkOperatorContract.path)
        .send({ operatorId, sessionId });
      return (response.body as { hasRecentSignIn: boolean }).hasRecentSignIn;
    };
    expect(await check()).toBe(true);
    world.passSeconds(sixteenMinutes);
    expect(await check()).toBe(false);
    await call.post(path).send({ password }).expect(204);
    expect(await check()).toBe(true);
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
      expect(await verify(app, renewed)).toMatchObject({ sessionId: caller.sessionId });
    }
  });

  it('counts wrong passwords as failed sign-ins', async () => {
    const { call } = await signedIn('wrong@example.org');
    for (let count = 0; count < 5; count += 1) {
      const response = await call.post(path).send({ password: 'not the right one' });
      expect(response.body).toMatchObject({ status: 401, code: 'invalid_credentials' });
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
    await world.sql('delete from auth.sessions where id = $1', [caller.sessionId]);
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
