import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { as, localOperatorCaller } from '@commonplace/testkit';
import {
  cookieFor,
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
});
afterAll(() => world.close());

type Page = { items: { id: string; current: boolean }[]; nextCursor: string | null };

describe('the list of own sessions', () => {
  it("returns the origin of each and which is current, newest first, and no one else's", async () => {
    await world.operator('list@example.org');
    await world.operator('other@example.org');
    await cookieFor(world.app, 'other@example.org');
    await logIn(world.app, { email: 'list@example.org', password }, '203.0.113.5')
      .set('user-agent', 'Netscape')
      .expect(200);
    const { caller, call } = await withCookie(
      world.app,
      await cookieFor(world.app, 'list@example.org', '203.0.113.6'),
    );
    const response = await call.get('/api/auth/sessions').expect(200);
    expect(response.body).toEqual({
      items: [
        expect.objectContaining({ id: caller.sessionId, current: true, address: '203.0.113.6' }),
        expect.objectContaining({
          current: false,
          address: '203.0.113.5',
          userAgent: 'Netscape',
          signInMethod: 'password',
          createdAt: expect.any(String),
          lastSeenAt: expect.any(String),
          expiresAt: expect.any(String),
        }),
      ],
      nextCursor: null,
    });
  });

  it('is paged, and rejects a cursor of another list', async () => {
    await world.operator('pages@example.org');
    const cookies = [];
    for (let count = 0; count < 3; count += 1) {
      cookies.push(await cookieFor(world.app, 'pages@example.org'));
    }
    const { call } = await withCookie(world.app, cookies.at(-1) ?? '');
    const first = (await call.get('/api/auth/sessions?limit=2').expect(200)).body as Page;
    const path = `/api/auth/sessions?limit=2&cursor=${first.nextCursor}`;
    const second = (await call.get(path).expect(200)).body as Page;
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3);
    expect(second.nextCursor).toBeNull();
    await call.get(`/api/auth/activity?cursor=${first.nextCursor}`).expect(400);
    await call.get('/api/auth/sessions?cursor=x').expect(400);
    await call.get('/api/auth/sessions?limit=0').expect(400);
  });

  it('is empty for the local board operator', async () => {
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await as(app, localOperatorCaller()).get('/api/auth/sessions').expect(200);
    expect(response.body).toEqual({ items: [], nextCursor: null });
  });
});

describe('revoking one session', () => {
  it('204: ends at once, and the others continue', async () => {
    await world.operator('revoke@example.org');
    const lost = await cookieFor(world.app, 'revoke@example.org');
    const own = await cookieFor(world.app, 'revoke@example.org');
    const lostId = (await withCookie(world.app, lost)).caller.sessionId;
    const { call } = await withCookie(world.app, own);
    await call.delete(`/api/auth/sessions/${lostId}`).expect(204);
    expect(await verify(world.app, lost)).toBeNull();
    expect(await verify(world.app, own)).not.toBeNull();
    await call.delete(`/api/auth/sessions/${lostId}`).expect(404);
  });

  it('404 for an unknown session or that of another operator, which continues; 400 for an invalid id', async () => {
    await world.operator('mine@example.org');
    await world.operator('theirs@example.org');
    const theirs = await cookieFor(world.app, 'theirs@example.org');
    const theirId = (await withCookie(world.app, theirs)).caller.sessionId;
    const { call } = await withCookie(world.app, await cookieFor(world.app, 'mine@example.org'));
    await call.delete(`/api/auth/sessions/${theirId}`).expect(404);
    await call.delete(`/api/auth/sessions/${newId()}`).expect(404);
    await call.delete('/api/auth/sessions/mine').expect(400);
    expect(await verify(world.app, theirs)).not.toBeNull();
  });
});

describe('revoking all other sessions', () => {
  it('204: ends all others', async () => {
    await world.operator('others@example.org');
    const others = [
      await cookieFor(world.app, 'others@example.org'),
      await cookieFor(world.app, 'others@example.org'),
    ];
    const own = await cookieFor(world.app, 'others@example.org');
    const { call } = await withCookie(world.app, own);
    await call.delete('/api/auth/sessions').expect(204);
    expect(await Promise.all(others.map((cookie) => verify(world.app, cookie)))).toEqual([
      null,
      null,
    ]);
    expect(await verify(world.app, own)).not.toBeNull();
  });
});
