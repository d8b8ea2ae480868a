import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { ask, echoOf, problemOf } from './send-request.ts';
import { withhold, type Withheld } from './withheld.ts';
import { createCounters } from '../src/observability/counters.ts';
import { giveKey, startWorld, type World } from './world.ts';

const json = { 'content-type': 'application/json' };
const mib = 1024 * 1024;

let world: World;
let open: Withheld[] = [];
afterEach(async () => {
  open.forEach(({ destroy }) => destroy());
  open = [];
  await world.stop();
});

/** Sends so many MiB of a body that is one byte longer. */
const hold = (authorization: string, mibSent: number): Withheld => {
  const upload = withhold(world.port, '/api/uploads', {
    method: 'POST',
    headers: { ...json, authorization, 'content-length': mibSent * mib + 1 },
    sent: Buffer.alloc(mibSent * mib, ' '),
  });
  open.push(upload);
  return upload;
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    await sleep(10);
  }
};

describe('bodies that are withheld', () => {
  it('of one credential take so many bytes together: 429 beyond, and others go on', async () => {
    const counters = createCounters();
    world = await startWorld({ BODY_MIB_PER_CREDENTIAL: '32' }, { counters });
    const [greedy, other] = [giveKey(world.knowledge).bearer, giveKey(world.knowledge).bearer];
    const first = hold(greedy, 20);
    await until(() => counters.bodyBytes >= 19 * mib);
    const refused = await hold(greedy, 20).answered;
    expect(problemOf(refused)).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await hold(other, 20).finish('1')).status).toBe(200);
    expect((await first.finish('1')).status).toBe(200);
    await until(() => counters.bodyBytes === 0);
    expect((await hold(greedy, 20).finish('1')).status).toBe(200);
  });

  it('of one address take so many bytes together, whatever the credential', async () => {
    const counters = createCounters();
    world = await startWorld({ BODY_MIB_PER_ADDRESS: '32' }, { counters });
    hold(giveKey(world.knowledge).bearer, 20);
    await until(() => counters.bodyBytes >= 19 * mib);
    const refused = await hold(giveKey(world.knowledge).bearer, 20).answered;
    expect(problemOf(refused)).toEqual([429, 'rate_limited']);
  });

  it('take so many bytes in all: 503 beyond, but short ones go on, and what has ended gives back', async () => {
    const counters = createCounters();
    world = await startWorld({ BODY_MIB_MAX: '32', BODY_MIB_PER_ADDRESS: '64' }, { counters });
    const first = hold(giveKey(world.knowledge).bearer, 20);
    await until(() => counters.bodyBytes >= 19 * mib);
    const { bearer: authorization } = giveKey(world.knowledge);
    const refused = await hold(authorization, 20).answered;
    expect(problemOf(refused)).toEqual([503, 'busy']);
    expect(refused.headers['retry-after']).toBe('1');
    const short = withhold(world.port, `/api/things/${newId()}`, {
      headers: { ...json, authorization, 'content-length': 10_000 },
      sent: Buffer.alloc(9_999, ' '),
    });
    expect((await short.finish('1')).status).toBe(200);
    first.destroy();
    await until(() => counters.bodyBytes === 0);
    expect((await hold(authorization, 20).finish('1')).status).toBe(200);
    expect(counters.bodiesRefused).toBe(1);
  });

  it('are at most 16 KiB on public routes: more is for the service to refuse', async () => {
    const counters = createCounters();
    world = await startWorld({}, { counters });
    const logIn = (bytes: number) => {
      const sent = withhold(world.port, '/api/auth/login', {
        method: 'POST',
        headers: { ...json, 'content-length': bytes },
        sent: Buffer.alloc(bytes - 1, ' '),
      });
      open.push(sent);
      return sent;
    };
    const short = logIn(16 * 1024);
    const long = logIn(16 * 1024 + 1);
    await until(() => world.knowledge.passedOn.length > 0);
    expect(echoOf(await long.finish('1')).headers['content-length']).toBe('16385');
    expect(world.knowledge.passedOn).toHaveLength(1);
    expect((await short.finish('1')).status).toBe(200);
    expect(counters.bodyBytes).toBe(0);
  });

  it('cost what they hold and not what they announce, nor by how they are cut to pieces', async () => {
    const counters = createCounters();
    world = await startWorld({}, { counters });
    const { bearer: authorization } = giveKey(world.knowledge);
    const announced = withhold(world.port, '/api/uploads', {
      method: 'POST',
      headers: { ...json, authorization, 'content-length': 30 * mib },
      sent: ' ',
    });
    open.push(announced);
    const body = `"${'x'.repeat(20_000)}"`;
    const crumbs = withhold(world.port, '/api/uploads', {
      method: 'POST',
      headers: { ...json, authorization, 'transfer-encoding': 'chunked' },
      sent: '',
    });
    open.push(crumbs);
    for (const letter of body) {
      crumbs.send(letter);
    }
    expect(echoOf(await crumbs.finish()).body === body).toBe(true);
    expect(counters.bodyBytes).toBe(0);
  });
});

it('a body that was there with its head is charged to nobody', async () => {
  const counters = createCounters();
  world = await startWorld({}, { counters });
  const { bearer: authorization } = giveKey(world.knowledge);
  const sent = { method: 'PUT', headers: { ...json, authorization }, body: '{}' };
  expect((await ask(world.port, `/api/things/${newId()}`, sent)).status).toBe(200);
  expect(counters.bodyBytes).toBe(0);
});
