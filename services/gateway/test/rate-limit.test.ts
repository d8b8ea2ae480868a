import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeApiKey } from '@commonplace/identity';
import { ask, problemOf } from './send-request.ts';
import { giveKey, giveSession, startWorld, type World } from './world.ts';

/** Time stands still, so that no bucket fills up while a slow machine empties it. */
const clock = { nowMs: Date.now, monotonicMs: () => 0 };

let world: World;
beforeAll(async () => {
  world = await startWorld({ RATE_LIMIT_PER_SECOND: '5' }, { clock });
});
afterAll(() => world.stop());

const times = <Result>(count: number, act: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, act));

describe('the limit per credential', () => {
  it('lets a burst through, then answers 429 and says when to come back', async () => {
    const { bearer: authorization } = giveKey(world.knowledge);
    const answers = await times(10, () =>
      ask(world.port, '/api/things', { headers: { authorization } }),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"credential";q=5;w=1',
      ratelimit: '"credential";r=0;t=1',
    });
  });

  it('is one of its own for every credential', async () => {
    const [one, other] = [giveKey(world.knowledge), giveKey(world.knowledge)];
    await times(10, () =>
      ask(world.port, '/api/things', { headers: { authorization: one.bearer } }),
    );
    const answered = await ask(world.port, '/api/things', {
      headers: { authorization: other.bearer },
    });
    expect(answered.status).toBe(200);
  });

  it('comes after the cross-site check and before any question of companies', async () => {
    const { cookie } = giveSession(world.knowledge);
    await times(6, () => ask(world.port, '/api/things', { headers: { cookie } }));
    const before = world.knowledge.asked.length;
    const limited = await ask(world.port, '/api/things', {
      headers: { cookie, 'x-company-id': 'bad' },
    });
    expect(problemOf(limited)).toEqual([429, 'rate_limited']);
    expect(world.knowledge.asked).toHaveLength(before);
    const crossSite = await ask(world.port, '/api/companies', {
      method: 'POST',
      headers: { cookie },
    });
    expect(problemOf(crossSite)[0]).toBe(403);
  });

  it('is off at 0', async () => {
    const open = await startWorld({ RATE_LIMIT_PER_SECOND: '0' });
    const { bearer: authorization } = giveKey(open.knowledge);
    const answers = await times(50, () =>
      ask(open.port, '/api/things', { headers: { authorization } }),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit');
    await open.stop();
  });
});

describe('a flood of forged keys from one address', () => {
  it('is 429 before any look-up once its bucket is empty, and holds up nobody who is known', async () => {
    const flooded = await startWorld({}, { clock });
    const known = giveKey(flooded.knowledge);
    const get = (authorization: string) =>
      ask(flooded.port, '/api/things', { headers: { authorization } });
    await get(known.bearer);
    const answers: number[] = [];
    for (let round = 0; round < 13; round += 1) {
      const batch = await times(60, () => get(`Bearer ${makeApiKey()}`));
      answers.push(...batch.map(({ status }) => status));
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(500);
    expect(answers.filter((status) => status === 429)).toHaveLength(280);
    expect(flooded.knowledge.keysAsked.size).toBe(501);
    expect((await get(known.bearer)).status).toBe(200);
    await flooded.stop();
  });

  it('waits for its refusals, so that it cannot ask on at once; who is known is answered meanwhile', async () => {
    const flooded = await startWorld({}, { clock });
    const known = giveKey(flooded.knowledge);
    const get = (authorization: string) =>
      ask(flooded.port, '/api/things', { headers: { authorization } });
    await get(known.bearer);
    for (let round = 0; round < 25; round += 1) {
      await times(20, () => get(`Bearer ${makeApiKey()}`));
    }
    const order: number[] = [];
    const note = async (asked: ReturnType<typeof get>) => order.push((await asked).status);
    const refused = note(get(`Bearer ${makeApiKey()}`));
    for (let turn = 0; turn < 3; turn += 1) {
      await note(get(known.bearer));
    }
    await refused;
    expect(order).toEqual([200, 200, 200, 429]);
    await flooded.stop();
  });
});
