import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentCaller, as, localOperatorCaller } from '@commonplace/testkit';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  sessionIdIn,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const newPassword = 'quiet harbours at dawn';
const path = '/api/auth/password';

const signedIn = async (email: string) => {
  await world.operator(email);
  const cookie = await cookieFor(world.app, email);
  const { caller, call } = await withCookie(world.app, cookie);
  const change = (body: object) => call.put(path).set('cookie', cookie).send(body);
  return { caller, cookie, change };
};

describe('204', () => {
  it('accepts the new password only', async () => {
    const { change } = await signedIn('new@example.org');
    await change({ currentPassword: password, newPassword }).expect(204);
    await logIn(world.app, { email: 'new@example.org', password: newPassword }).expect(200);
    await logIn(world.app, { email: 'new@example.org', password }).expect(401);
  });

  it('ends every other session and continues this one with a new cookie', async () => {
    const { caller, cookie, change } = await signedIn('others@example.org');
    const other = await cookieFor(world.app, 'others@example.org');
    const response = await change({ currentPassword: password, newPassword }).expect(204);
    const renewed = cookieOf(response) ?? '';
    expect(sessionIdIn(renewed)).not.toBe(sessionIdIn(cookie));
    expect(await verify(world.app, renewed)).not.toBeNull();
    expect(await verify(world.app, cookie)).toBeNull();
    expect(await verify(world.app, other)).toBeNull();
    // Nor does an identity that was made of the former cookie.
    await as(world.app, caller).delete('/api/auth/sessions').expect(401);
    expect(await verify(world.app, renewed)).not.toBeNull();
  });

  it('compares passwords longer than the limit of bcrypt to the last character', async () => {
    const { change } = await signedIn('long@example.org');
    const long = 'tall ships in the fog, and '.repeat(4);
    await change({ currentPassword: password, newPassword: `${long}one` }).expect(204);
    await logIn(world.app, { email: 'long@example.org', password: `${long}two` }).expect(401);
    await logIn(world.app, { email: 'long@example.org', password: `${long}one` }).expect(200);
  });
});

describe('401', () => {
  it('for a wrong current password, which counts as a failed sign-in', async () => {
    const { cookie, change } = await signedIn('wrong@example.org');
    for (let count = 0; count < 5; count += 1) {
      const response = await change({ currentPassword: 'not the right one', newPassword });
      expect(response.body).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
        detail: 'The current password is wrong.',
      });
    }
    const throttled = await change({ currentPassword: password, newPassword });
    expect(throttled.body).toMatchObject({ status: 429, code: 'login_throttled' });
    expect(await verify(world.app, cookie)).not.toBeNull();
  });

  it('without an identity', async () => {
    await as(world.app, null).put(path).expect(401);
  });
});

describe('422', () => {
  it.each([
    ['too short', 'kettle-marsh-9'],
    ['too long', 'x'.repeat(129)],
    ['common', 'passwordpassword'],
    ['the email itself', 'weak1@example.org'],
    ['the current one', password],
  ])('for a password that is %s, and nothing changes', async (_what, weak) => {
    const email = `weak${weak.length}@example.org`;
    const { cookie, change } = await signedIn(email);
    const response = await change({ currentPassword: password, newPassword: weak });
    expect(response.body).toMatchObject({ status: 422, code: 'weak_password' });
    expect(await verify(world.app, cookie)).not.toBeNull();
    await logIn(world.app, { email, password }).expect(200);
  });
});

describe('other errors', () => {
  it('400 for a body that is not valid, 403 for agents', async () => {
    const { change } = await signedIn('body@example.org');
    await change({ currentPassword: password }).expect(400);
    await change({ currentPassword: password, newPassword: 7 }).expect(400);
    await change({ currentPassword: password, newPassword, more: 1 }).expect(400);
    await as(world.app, agentCaller()).put(path).expect(403);
  });

  it('409 for the local board operator, who has no password', async () => {
    const app = world.appWith({ mode: 'local_trusted' });
    const body = { currentPassword: password, newPassword };
    const response = await as(app, localOperatorCaller()).put(path).send(body);
    expect(response.body).toMatchObject({ status: 409, code: 'local_trusted' });
  });
});
