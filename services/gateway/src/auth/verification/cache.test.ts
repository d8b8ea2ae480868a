import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@commonplace/contracts';
import { createLookupLimiter } from './lookup-limiter.ts';
import type { Lookup } from './coalesced-lookups.ts';
import { createUnverifiedLookupLimit } from '../../limits/unverified-lookup-limit.ts';
import { createVerificationCache, type Verifiable, type VerificationCache } from './cache.ts';

type Value = Verifiable & { readonly name: string };

/** A service whose answers wait until the test lets them go. */
const slowService = () => {
  const waiting: ((value: Value | null | Error) => void)[] = [];
  const send = () =>
    new Promise<Value | null>((resolve, reject) => {
      waiting.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
    });
  return { waiting, send };
};

const value = (name: string, expiresAtMs = Infinity): Value => ({ name, expiresAtMs, ids: [name] });

let now: number;
let cache: VerificationCache<Value>;
let sent: string[];
beforeEach(() => {
  now = 10_000;
  sent = [];
  const clock = { nowMs: () => now, monotonicMs: () => now };
  const gate = createLookupLimiter(
    { inFlightMax: 64, unverifiedMax: 32, waitMaxMs: 10_000 },
    { inFlight: 0 },
  );
  cache = createVerificationCache<Value>({
    clock,
    lookupLimiter: gate,
    unverifiedLimit: createUnverifiedLookupLimit(clock),
  });
});

/** A look-up answered at once. */
const lookUp = (key: string, answer: Value | null | AppError): Lookup<Value> => ({
  key,
  address: '192.0.2.1',
  send: async () => {
    sent.push(key);
    if (answer instanceof AppError) {
      throw answer;
    }
    return answer;
  },
});
const away = new AppError('service_unavailable');
/** Lets what happens in the background happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('an answer', () => {
  it('is served below 500 ms without a question', async () => {
    await cache.find(lookUp('a', value('a')));
    now += 500;
    expect(await cache.find(lookUp('a', null))).toEqual(value('a'));
    await settle();
    expect(sent).toEqual(['a']);
  });

  it('is served and refreshed in the background above 500 ms', async () => {
    await cache.find(lookUp('a', value('old')));
    now += 501;
    expect(await cache.find(lookUp('a', value('new')))).toEqual(value('old'));
    await settle();
    expect(await cache.find(lookUp('a', null))).toEqual(value('new'));
    expect(sent).toEqual(['a', 'a']);
  });

  it('is never served at 900 ms, whatever became of its refresh', async () => {
    await cache.find(lookUp('a', value('a')));
    now += 899;
    expect(await cache.find(lookUp('a', away))).toEqual(value('a'));
    await settle();
    now += 1;
    await expect(cache.find(lookUp('a', away))).rejects.toMatchObject({ status: 503 });
    expect(await cache.find(lookUp('a', null))).toBeNull();
  });

  it('ages from when its question was sent, not from when it came', async () => {
    const service = slowService();
    const first = cache.find({ key: 'a', address: null, send: service.send });
    now += 240;
    service.waiting[0]?.(value('a'));
    await first;
    now += 660;
    expect(await cache.find(lookUp('a', value('fresh')))).toEqual(value('fresh'));
  });

  it('ends by itself between two questions', async () => {
    await cache.find(lookUp('a', value('a', now + 100)));
    now += 99;
    expect(await cache.find(lookUp('a', null))).not.toBeNull();
    now += 1;
    expect(await cache.find(lookUp('a', null))).toBeNull();
    expect(sent).toEqual(['a']);
  });
});

describe('a miss', () => {
  it('is remembered as long as an answer, and stops no new credential', async () => {
    expect(await cache.find(lookUp('bad', null))).toBeNull();
    now += 899;
    expect(await cache.find(lookUp('bad', value('late')))).toBeNull();
    expect(await cache.find(lookUp('good', value('good')))).toEqual(value('good'));
    now += 1;
    expect(await cache.find(lookUp('bad', value('late')))).toEqual(value('late'));
  });

  it('takes the place of what was good', async () => {
    await cache.find(lookUp('a', value('a')));
    now += 900;
    expect(await cache.find(lookUp('a', null))).toBeNull();
    expect(cache.isKnown('a')).toBe(false);
  });
});

describe('a question', () => {
  it('is shared by all who ask at once', async () => {
    const service = slowService();
    const askers = [1, 2, 3].map(() => cache.find({ key: 'a', address: null, send: service.send }));
    await settle();
    expect(service.waiting).toHaveLength(1);
    service.waiting[0]?.(value('a'));
    expect(await Promise.all(askers)).toEqual([value('a'), value('a'), value('a')]);
  });

  it('is not shared by one who asks 900 ms later: its answer may be as old as that', async () => {
    const service = slowService();
    const before = cache.find({ key: 'a', address: null, send: service.send });
    await settle();
    now += 900;
    const after = cache.find({ key: 'a', address: null, send: service.send });
    await settle();
    service.waiting[0]?.(value('revoked since'));
    service.waiting[1]?.(null);
    expect([await before, await after]).toEqual([value('revoked since'), null]);
  });

  it('asked afresh by a crowd is two: the one under way, and one for all who came after it', async () => {
    const service = slowService();
    const ask = () => cache.findFresh({ key: 'a', address: null, send: service.send });
    const first = ask();
    await settle();
    const crowd = [1, 2, 3, 4, 5].map(ask);
    await settle();
    expect(service.waiting).toHaveLength(1);
    service.waiting[0]?.(value('before'));
    await settle();
    expect(service.waiting).toHaveLength(2);
    service.waiting[1]?.(value('since'));
    expect(await first).toEqual(value('before'));
    expect(await Promise.all(crowd)).toEqual(crowd.map(() => value('since')));
  });

  it('asked afresh is not spoilt by one that fails before it', async () => {
    const service = slowService();
    const ask = () => cache.findFresh({ key: 'a', address: null, send: service.send });
    const first = ask();
    const second = ask();
    await settle();
    service.waiting[0]?.(new AppError('service_unavailable'));
    await settle();
    service.waiting[1]?.(new AppError('service_unavailable'));
    await expect(first).rejects.toMatchObject({ status: 503 });
    await settle();
    service.waiting[2]?.(value('a'));
    expect(await second).toEqual(value('a'));
  });

  it('is put by who takes no older answer than a certain age, and shared with others like it', async () => {
    await cache.find(lookUp('a', value('old')));
    now += 100;
    const strict = (answer: Value) => cache.find({ ...lookUp('a', answer), maxAgeMs: 100 });
    expect(await Promise.all([strict(value('new')), strict(value('newer'))])).toEqual([
      value('new'),
      value('new'),
    ]);
    now += 99;
    expect(await strict(value('newest'))).toEqual(value('new'));
    expect(sent).toEqual(['a', 'a']);
  });

  it('asked afresh is one of its own, and the older answer does not overwrite the newer', async () => {
    const service = slowService();
    const older = cache.find({ key: 'a', address: null, send: service.send });
    const newer = cache.findFresh({ key: 'a', address: null, send: service.send });
    await settle();
    service.waiting[1]?.(value('new'));
    await newer;
    service.waiting[0]?.(value('old'));
    await older;
    expect(await cache.find(lookUp('a', null))).toEqual(value('new'));
  });

  it('that fails is asked once more, and then is 503, whatever the service said', async () => {
    const refused = new AppError('identity_required');
    await expect(cache.find(lookUp('a', refused))).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'Retry-After': '1' },
    });
    expect(sent).toEqual(['a', 'a']);
  });
});

describe('forgetting', () => {
  it('drops what speaks of an id, every miss, and nothing else', async () => {
    await cache.find(lookUp('a', value('a')));
    await cache.find(lookUp('b', value('b')));
    await cache.find(lookUp('c', null));
    cache.invalidate(new Set(['a']));
    sent = [];
    await cache.find(lookUp('a', null));
    await cache.find(lookUp('b', null));
    await cache.find(lookUp('c', value('c')));
    expect(sent).toEqual(['a', 'c']);
  });

  it('also makes nothing of an answer that is under way', async () => {
    const service = slowService();
    const before = cache.find({ key: 'a', address: null, send: service.send });
    await settle();
    cache.invalidate(new Set(['other']));
    const after = cache.find(lookUp('a', null));
    service.waiting[0]?.(value('a'));
    expect(await before).toEqual(value('a'));
    expect(await after).toBeNull();
    expect(await cache.find(lookUp('a', value('never asked')))).toBeNull();
  });
});

describe('strangers', () => {
  it('from one address are refused before a question once they asked too much; others are not', async () => {
    for (let count = 0; count < 500; count += 1) {
      await cache.find(lookUp(`bad ${count}`, null));
    }
    await expect(cache.find(lookUp('bad', null))).rejects.toMatchObject({ status: 429 });
    const elsewhere = { ...lookUp('good', value('good')), address: '192.0.2.2' };
    expect(await cache.find(elsewhere)).toEqual(value('good'));
    expect(sent).toHaveLength(501);
  });

  it('that turn out good cost their address nothing', async () => {
    for (let count = 0; count < 1_000; count += 1) {
      expect(await cache.find(lookUp(`good ${count}`, value('good')))).toEqual(value('good'));
    }
  });

  it('cannot take the room of the known: 32 of 64 look-ups are theirs at most', async () => {
    const service = slowService();
    const find = (key: string, address: string | null) =>
      cache.find({ key, address, send: service.send }).catch((error: unknown) => error);
    const flood = Array.from({ length: 40 }, (_, index) => find(`stranger ${index}`, '192.0.2.3'));
    await settle();
    expect(service.waiting).toHaveLength(32);
    const known = Array.from({ length: 40 }, (_, index) => find(`known ${index}`, null));
    await settle();
    expect(service.waiting).toHaveLength(64);
    // Until all are answered: on a slow machine questions are put a second time.
    const answering = setInterval(() => service.waiting.shift()?.(value('good')), 1);
    const found = await Promise.all([...flood, ...known]);
    clearInterval(answering);
    expect(found).toEqual(Array(80).fill(value('good')));
  });
});
