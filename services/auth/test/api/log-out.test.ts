import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentCaller, as, localOperatorCaller } from '@commonplace/testkit';
import {
  cookieFor,
  createWorld,
  setCookiesOf,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('204', () => {
  it('ends the session and clears its cookie', async () => {
    await world.operator('olga@example.org');
    const cookie = await cookieFor(world.app, 'olga@example.org');
    const { call } = await withCookie(world.app, cookie);
    const response = await call.post('/api/auth/logout').set('cookie', cookie).expect(204);
    expect(setCookiesOf(response)).toEqual([
      expect.stringMatching(/^commonplace\.sid=; Path=\/; Expires=Thu, 01 Jan 1970/),
    ]);
    expect(await verify(world.app, cookie)).toBeNull();
    expect(await world.sql('select * from auth.sessions')).toEqual([]);
  });

  it('ends the session of the identity even without a cookie, and no other', async () => {
    await world.operator('two@example.org');
    const kept = await cookieFor(world.app, 'two@example.org');
    const ended = await cookieFor(world.app, 'two@example.org');
    const { call } = await withCookie(world.app, ended);
    await call.post('/api/auth/logout').expect(204);
    expect(await verify(world.app, ended)).toBeNull();
    expect(await verify(world.app, kept)).not.toBeNull();
  });

  it('does nothing in local trusted mode', async () => {
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await as(app, localOperatorCaller()).post('/api/auth/logout');
    expect([response.status, setCookiesOf(response)]).toEqual([204, []]);
  });
});

describe('401', () => {
  it('without an identity', async () => {
    await as(world.app, null).post('/api/auth/logout').expect(401);
  });
});

describe('403', () => {
  it('for agents, who have no session', async () => {
    const response = await as(world.app, agentCaller()).post('/api/auth/logout');
    expect(response.body).toMatchObject({ status: 403, code: 'operator_only' });
  });
});
