import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@commonplace/contracts';
import { ask } from './send-request.ts';
import { giveKey, giveRun, giveSession, newCompany, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const statusFor = async (headers: Record<string, string>): Promise<number> =>
  (await ask(world.port, '/api/things', { headers })).status;

describe('a credential that dies elsewhere', () => {
  it('is refused within a second, though it was in use all the time', async () => {
    const key = giveKey(world.knowledge);
    const run = giveRun(world.knowledge);
    const session = giveSession(world.knowledge, [newCompany()]);
    const all = [
      { authorization: key.bearer },
      { authorization: run.bearer },
      { cookie: session.cookie },
    ];
    expect(await Promise.all(all.map(statusFor))).toEqual([200, 200, 200]);
    key.revoke();
    run.end();
    session.end();
    const diedAtMs = performance.now();
    while (performance.now() - diedAtMs < 1_000) {
      await Promise.all(all.map(statusFor));
      await sleep(20);
    }
    expect(await Promise.all(all.map(statusFor))).toEqual([401, 401, 401]);
  });

  it('is asked about twice a second at most, however often it is used', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    await statusFor({ authorization });
    const before = world.knowledge.asked.length;
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < 1_000) {
      await statusFor({ authorization });
    }
    expect(world.knowledge.asked.length - before).toBeLessThanOrEqual(2);
  });
});

describe('a credential that dies through this gateway', () => {
  it('is refused at once', async () => {
    const key = giveKey(world.knowledge);
    const { cookie } = giveSession(world.knowledge, [key.companyId]);
    expect(await statusFor({ authorization: key.bearer })).toBe(200);
    key.revoke();
    await ask(world.port, `/api/agents/${key.agentId.toUpperCase()}/keys/${key.keyId}`, {
      method: 'DELETE',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(await statusFor({ authorization: key.bearer })).toBe(401);
  });

  it('does not cost the others a look-up', async () => {
    const [one, other] = [giveKey(world.knowledge), giveKey(world.knowledge)];
    const { cookie } = giveSession(world.knowledge, [one.companyId]);
    await statusFor({ authorization: other.bearer });
    await ask(world.port, `/api/agents/${one.agentId}/keys/${one.keyId}`, {
      method: 'DELETE',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    const before = world.knowledge.asked.filter((name) => name === 'verifyKey').length;
    expect(await statusFor({ authorization: other.bearer })).toBe(200);
    expect(world.knowledge.asked.filter((name) => name === 'verifyKey')).toHaveLength(before);
  });

  it('ends a session for good when its operator logs out', async () => {
    const session = giveSession(world.knowledge, [newCompany()]);
    expect(await statusFor({ cookie: session.cookie })).toBe(200);
    session.end();
    await ask(world.port, '/api/auth/logout', {
      method: 'POST',
      headers: { cookie: session.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(await statusFor({ cookie: session.cookie })).toBe(401);
  });
});

describe('an outage of the agents service', () => {
  it('is bridged by what is remembered, for less than a second, and then is 503', async () => {
    const bridged = await startWorld();
    const { bearer: authorization } = giveKey(bridged.knowledge);
    const get = async () =>
      (await ask(bridged.port, `/api/things/${newId()}`, { headers: { authorization } })).status;
    expect(await get()).toBe(200);
    await bridged.services.agents.stop();
    expect(await get()).toBe(200);
    await sleep(950);
    expect(await get()).toBe(503);
    await bridged.stop();
  });
});
