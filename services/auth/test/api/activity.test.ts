import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentCaller, as, localOperatorCaller, operatorCaller } from '@commonplace/testkit';
import { cookieFor, createWorld, logIn, withCookie, type World } from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Page = { items: Record<string, unknown>[]; nextCursor: string | null };
const wrong = 'not the right password';

describe('the sign-in history', () => {
  it('returns an operator its own successes and failures with their address, newest first', async () => {
    await world.operator('first@example.org');
    const { id } = await world.operator('own@example.org');
    await logIn(world.app, { email: 'own@example.org', password: wrong }, '203.0.113.9')
      .set('user-agent', 'x'.repeat(500))
      .expect(401);
    await logIn(world.app, { email: 'first@example.org', password: wrong }).expect(401);
    const cookie = await cookieFor(world.app, 'own@example.org', '203.0.113.1');
    const { call } = await withCookie(world.app, cookie);
    const { items } = (await call.get('/api/auth/activity').expect(200)).body as Page;
    expect(items).toEqual([
      expect.objectContaining({ outcome: 'success', address: '203.0.113.1', operatorId: id }),
      expect.objectContaining({
        outcome: 'failure',
        method: 'password',
        email: 'own@example.org',
        address: '203.0.113.9',
        userAgent: 'x'.repeat(256),
      }),
    ]);
  });

  it('returns administrators those of all, including attempts for unknown emails, in pages', async () => {
    await logIn(world.app, { email: 'nobody@example.org', password: wrong }).expect(401);
    const admin = as(world.app, operatorCaller({ isAdmin: true }));
    const seen: unknown[] = [];
    let path = '/api/auth/activity?limit=2';
    for (;;) {
      const page = (await admin.get(path).expect(200)).body as Page;
      seen.push(...page.items.map(({ email, operatorId }) => [email, operatorId !== null]));
      if (page.nextCursor === null) {
        break;
      }
      path = `/api/auth/activity?limit=2&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual([
      ['nobody@example.org', false],
      ['own@example.org', true],
      ['first@example.org', true],
      ['own@example.org', true],
    ]);
    const local = await as(world.app, localOperatorCaller()).get('/api/auth/activity');
    expect((local.body as Page).items).toHaveLength(4);
  });

  it('is filtered by outcome, method, account, email and time; others see only their own', async () => {
    const admin = as(world.app, operatorCaller({ isAdmin: true }));
    const find = async (filter: Readonly<Record<string, string>>, call = admin) => {
      const path = `/api/auth/activity?${new URLSearchParams(filter).toString()}`;
      return ((await call.get(path).expect(200)).body as Page).items;
    };
    const emailsOf = async (filter: Readonly<Record<string, string>>) =>
      (await find(filter)).map(({ email }) => email);
    const all = await find({});
    const [own] = await find({ email: ' OWN@example.org', outcome: 'success' });
    const { id, operatorId, at } = own as { id: string; operatorId: string; at: string };
    expect(await emailsOf({ outcome: 'success' })).toEqual(['own@example.org']);
    expect(await emailsOf({ method: 'totp' })).toEqual([]);
    expect(await emailsOf({ email: 'nobody@example.org', method: 'password' })).toHaveLength(1);
    expect(await emailsOf({ operatorId })).toEqual(['own@example.org', 'own@example.org']);
    const since = await find({ since: at });
    const until = await find({ until: at });
    expect(since.map((entry) => entry['id'])).toContain(id);
    expect(until.map((entry) => entry['id'])).not.toContain(id);
    expect([...since, ...until]).toEqual(all);
    const other = as(world.app, operatorCaller());
    expect(await find({ operatorId }, other)).toEqual([]);
    expect(await find({ email: 'own@example.org' }, other)).toEqual([]);
  });

  it('400 for filters of another form', async () => {
    const admin = as(world.app, operatorCaller({ isAdmin: true }));
    for (const filter of ['outcome=maybe', 'method=key', 'email=own', 'since=monday', 'who=me']) {
      await admin.get(`/api/auth/activity?${filter}`).expect(400);
    }
  });

  it('records only a part of many failures', async () => {
    for (let index = 0; index < 220; index += 1) {
      const address = `198.51.100.${index}`;
      await logIn(world.app, { email: `u${index}@example.org`, password: wrong }, address);
    }
    const [row] = await world.sql(
      "select count(*)::int as count from auth.sign_ins where email like 'u%'",
    );
    expect(row?.['count']).toBe(199);
  });

  it('401 without an identity, 403 for agents', async () => {
    await as(world.app, null).get('/api/auth/activity').expect(401);
    await as(world.app, agentCaller()).get('/api/auth/activity').expect(403);
  });
});
