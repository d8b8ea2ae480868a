import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifySessionContract } from '@commonplace/contracts';
import { agentCaller, as, operatorCaller, serviceCaller } from '@commonplace/testkit';
import {
  cookieFor,
  createWorld,
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

const minutes = 60;
const hours = 60 * minutes;
const signIn = async (email: string) => {
  await world.operator(email);
  return cookieFor(world.app, email);
};

describe('a session', () => {
  it('ends after an hour without a request', async () => {
    const cookie = await signIn('idle@example.org');
    world.passSeconds(60 * minutes - 1);
    expect(await verify(world.app, cookie, false)).not.toBeNull();
    world.passSeconds(1);
    expect(await verify(world.app, cookie)).toBeNull();
  });

  it('is extended by requests, but not by feeds', async () => {
    const cookie = await signIn('alive@example.org');
    world.passSeconds(50 * minutes);
    expect(await verify(world.app, cookie)).not.toBeNull();
    world.passSeconds(50 * minutes);
    expect(await verify(world.app, cookie, false)).not.toBeNull();
    world.passSeconds(10 * minutes);
    expect(await verify(world.app, cookie)).toBeNull();
  });

  it('ends twelve hours after its start, however active it is', async () => {
    const cookie = await signIn('busy@example.org');
    for (let count = 0; count < 23; count += 1) {
      world.passSeconds(30 * minutes);
      expect(await verify(world.app, cookie)).not.toBeNull();
    }
    const last = await verify(world.app, cookie);
    expect(Date.parse(last?.expiresAt ?? '') - world.deps.clock().getTime()).toBe(
      30 * minutes * 1000,
    );
    world.passSeconds(30 * minutes);
    expect(await verify(world.app, cookie)).toBeNull();
  });

  it('stores its last use at most once a minute', async () => {
    const cookie = await signIn('touch@example.org');
    const lastSeen = async () => {
      const rows = await world.sql(
        `select extract(epoch from s.last_seen_at - s.created_at)::int as seconds
           from auth.sessions s join auth.operators o on o.id = s.operator_id
          where o.email = 'touch@example.org'`,
      );
      return rows[0]?.['seconds'];
    };
    const seen: unknown[] = [];
    for (const seconds of [59, 1, 59, 1]) {
      world.passSeconds(seconds);
      await verify(world.app, cookie);
      seen.push(await lastSeen());
    }
    expect(seen).toEqual([0, 60, 60, 120]);
  });

  it('is one of at most ten: the eleventh ends the oldest', async () => {
    const first = await signIn('ten@example.org');
    const second = await cookieFor(world.app, 'ten@example.org');
    for (let count = 0; count < 9; count += 1) {
      await cookieFor(world.app, 'ten@example.org');
    }
    expect(await verify(world.app, first)).toBeNull();
    expect(await verify(world.app, second)).not.toBeNull();
  });

  it('is one of at most ten even if fifteen start concurrently', async () => {
    await world.operator('storm@example.org');
    await Promise.all(
      Array.from({ length: 15 }, (_none, index) =>
        cookieFor(world.app, 'storm@example.org', `192.0.2.${index}`),
      ),
    );
    const rows = await world.sql(
      `select from auth.sessions s join auth.operators o on o.id = s.operator_id
        where o.email = 'storm@example.org'`,
    );
    expect(rows).toHaveLength(10);
  });

  it('of an old epoch is invalid, although its row exists', async () => {
    const cookie = await signIn('epoch@example.org');
    await world.sql(
      "update auth.operators set session_epoch = session_epoch + 1 where email = 'epoch@example.org'",
    );
    expect(await verify(world.app, cookie)).toBeNull();
  });

  it('of a disabled operator is invalid', async () => {
    const cookie = await signIn('gone@example.org');
    await world.sql(
      "update auth.operators set disabled_at = now() where email = 'gone@example.org'",
    );
    expect(await verify(world.app, cookie)).toBeNull();
  });
});

describe('verifying a session', () => {
  it('returns operator and expiry, and reflects a change of administrators at once', async () => {
    await signIn('first@example.org');
    const cookie = await signIn('plain@example.org');
    const { caller } = await withCookie(world.app, cookie);
    expect(await verify(world.app, cookie)).toEqual({
      sessionId: caller.sessionId,
      operatorId: caller.operatorId,
      email: 'plain@example.org',
      name: 'Olga',
      isAdmin: false,
      expiresAt: new Date(world.deps.clock().getTime() + hours * 1000).toISOString(),
    });
    await world.sql('update auth.operators set is_admin = true where id = $1', [caller.operatorId]);
    expect(await verify(world.app, cookie)).toMatchObject({ isAdmin: true });
  });

  it('returns null for an unknown digest and for an id in its place', async () => {
    const cookie = await signIn('digest@example.org');
    const gateway = as(world.app, serviceCaller('gateway'));
    const unknown = { sessionDigest: 'a'.repeat(64), touch: true };
    const response = await gateway.post(verifySessionContract.path).send(unknown).expect(200);
    expect(response.body).toEqual({ session: null });
    const asId = { sessionDigest: sessionIdIn(cookie), touch: true };
    await gateway.post(verifySessionContract.path).send(asId).expect(400);
  });

  it('is open to the gateway only', async () => {
    const body = { sessionDigest: 'a'.repeat(64), touch: true };
    const others = [null, agentCaller(), operatorCaller({ isAdmin: true }), serviceCaller('notes')];
    for (const caller of others) {
      await as(world.app, caller).post(verifySessionContract.path).send(body).expect(401);
    }
  });
});
