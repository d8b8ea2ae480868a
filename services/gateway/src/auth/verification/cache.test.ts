import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@commonplace/contracts';
import { createLookupLimiter } from './lookup-limiter.ts';
import type { Lookup } from './coalesced-lookups.ts';
import { createUnverifiedLookupLimit } from '../../limits/unverified-lookup-limit.ts';
import { createVerificationCache, type Verifiable, type VerificationCache } from './cache.ts';

type Value = Verifiable & { readonly name: string };

/** A service whose responses wait until the test sends them. */
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
  const lookupLimiter = createLookupLimiter(
    { inFlightMax: 64, unverifiedMax: 32, waitMaxMs: 10_000 },
    { inFlight: 0 },
  );
  cache = createVerificationCache<Value>({
    clock,
    lookupLimiter,
    unverifiedLimit: createUnverifiedLookupLimit(clock),
  });
});

/** A lookup with an immediate result. */
const lookup = (key: string, result: Value | null | AppError): Lookup<Value> => ({
  key,
  address: '192.0.2.1',
  send: async () => {
    sent.push(key);
    if (result instanceof AppError) {
      throw result;
    }
    return result;
  },
});
const unavailable = new AppError('service_unavailable');
/** Lets background work finish. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('an entry', () => {
  it('is used below 500 ms without a lookup', async () => {
    await cache.find(lookup('a', value('a')));
    now += 500;
    expect(await cache.find(lookup('a', null))).toEqual(value('a'));
    await settle();
    expect(sent).toEqual(['a']);
  });

  it('is used and refreshed in the background above 500 ms', async () => {
    await cache.find(lookup('a', value('old')));
    now += 501;
    expect(await cache.find(lookup('a', value('new')))).toEqual(value('old'));
    await settle();
    expect(await cache.find(lookup('a', null))).toEqual(value('new'));
    expect(sent).toEqual(['a', 'a']);
  });

  it('is not used at 900 ms, even if its refresh failed', async () => {
    await cache.find(lookup('a', value('a')));
    now += 899;
    expect(await cache.find(lookup('a', unavailable))).toEqual(value('a'));
    await settle();
    now += 1;
    await expect(cache.find(lookup('a', unavailable))).rejects.toMatchObject({ status: 503 });
    expect(await cache.find(lookup('a', null))).toBeNull();
  });

  it('ages from when its request was sent, not from when the response came', async () => {
    const service = slowService();
    const first = cache.find({ key: 'a', address: null, send: service.send });
    now += 240;
    service.waiting[0]?.(value('a'));
    await first;
    now += 660;
    expect(await cache.find(lookup('a', value('fresh')))).toEqual(value('fresh'));
  });

  it('expires between two lookups', async () => {
    await cache.find(lookup('a', value('a', now + 100)));
    now += 99;
    expect(await cache.find(lookup('a', null))).not.toBeNull();
    now += 1;
    expect(await cache.find(lookup('a', null))).toBeNull();
    expect(sent).toEqual(['a']);
  });
});

describe('a miss', () => {
  it('is cached as long as a hit, and affects no new credential', async () => {
    expect(await cache.find(lookup('bad', null))).toBeNull();
    now += 899;
    expect(await cache.find(lookup('bad', value('late')))).toBeNull();
    expect(await cache.find(lookup('good', value('good')))).toEqual(value('good'));
    now += 1;
    expect(await cache.find(lookup('bad', value('late')))).toEqual(value('late'));
  });

  it('replaces a hit', async () => {
    await cache.find(lookup('a', value('a')));
    now += 900;
    expect(await cache.find(lookup('a', null))).toBeNull();
    expect(cache.isKnown('a')).toBe(false);
  });
});

describe('a lookup', () => {
  it('is shared by concurrent requests', async () => {
    const service = slowService();
    const finds = [1, 2, 3].map(() => cache.find({ key: 'a', address: null, send: service.send }));
    await settle();
    expect(service.waiting).toHaveLength(1);
    service.waiting[0]?.(value('a'));
    expect(await Promise.all(finds)).toEqual([value('a'), value('a'), value('a')]);
  });

  it('is not joined after 900 ms, because its result may be as old', async () => {
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

  it('that must be fresh is sent twice for concurrent callers: once for the first, once for all others', async () => {
    const service = slowService();
    const findFresh = () => cache.findFresh({ key: 'a', address: null, send: service.send });
    const first = findFresh();
    await settle();
    const others = [1, 2, 3, 4, 5].map(findFresh);
    await settle();
    expect(service.waiting).toHaveLength(1);
    service.waiting[0]?.(value('before'));
    await settle();
    expect(service.waiting).toHaveLength(2);
    service.waiting[1]?.(value('since'));
    expect(await first).toEqual(value('before'));
    expect(await Promise.all(others)).toEqual(others.map(() => value('since')));
  });

  it('that must be fresh does not fail with the one before it', async () => {
    const service = slowService();
    const findFresh = () => cache.findFresh({ key: 'a', address: null, send: service.send });
    const first = findFresh();
    const second = findFresh();
    await settle();
    service.waiting[0]?.(new AppError('service_unavailable'));
    await settle();
    service.waiting[1]?.(new AppError('service_unavailable'));
    await expect(first).rejects.toMatchObject({ status: 503 });
    await settle();
    service.waiting[2]?.(value('a'));
    expect(await second).toEqual(value('a'));
  });

  it('is sent for a caller with a lower maximum age, and shared with others like it', async () => {
    await cache.find(lookup('a', value('old')));
    now += 100;
    const strict = (result: Value) => cache.find({ ...lookup('a', result), maxAgeMs: 100 });
    expect(await Promise.all([strict(value('new')), strict(value('newer'))])).toEqual([
      value('new'),
      value('new'),
    ]);
    now += 99;
    expect(await strict(value('newest'))).toEqual(value('new'));
    expect(sent).toEqual(['a', 'a']);
  });

  it('that must be fresh joins no other, and an older result does not overwrite a newer one', async () => {
    const service = slowService();
    const older = cache.find({ key: 'a', address: null, send: service.send });
    const newer = cache.findFresh({ key: 'a', address: null, send: service.send });
    await settle();
    service.waiting[1]?.(value('new'));
    await newer;
    service.waiting[0]?.(value('old'));
    await older;
    expect(await cache.find(lookup('a', null))).toEqual(value('new'));
  });

  it('that fails is sent once more, and then is 503, whatever the service responded', async () => {
    const rejected = new AppError('identity_required');
    await expect(cache.find(lookup('a', rejected))).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
    });
    expect(sent).toEqual(['a', 'a']);
  });
});

describe('invalidation', () => {
  it('drops what depends on an id, every miss, and nothing else', async () => {
    await cache.find(lookup('a', value('a')));
    await cache.find(lookup('b', value('b')));
    await cache.find(lookup('c', null));
    cache.invalidate(new Set(['a']));
    sent = [];
    await cache.find(lookup('a', null));
    await cache.find(lookup('b', null));
    await cache.find(lookup('c', value('c')));
    expect(sent).toEqual(['a', 'c']);
  });

  it('finds what depends on several ids, and on other ones since', async () => {
    const dependent = (...ids: string[]): Value => ({ ...value('a'), ids });
    await cache.find(lookup('a', dependent('run', 'company')));
    await cache.find(lookup('b', dependent('company')));
    cache.invalidate(new Set(['run', 'company']));
    expect([cache.isKnown('a'), cache.isKnown('b')]).toEqual([false, false]);
    await cache.find(lookup('a', dependent('before')));
    await cache.findFresh(lookup('a', dependent('since')));
    cache.invalidate(new Set(['before']));
    expect(cache.isKnown('a')).toBe(true);
    cache.invalidate(new Set(['since']));
    expect(cache.isKnown('a')).toBe(false);
  });

  it('also discards the results of pending lookups', async () => {
    const service = slowService();
    const before = cache.find({ key: 'a', address: null, send: service.send });
    await settle();
    cache.invalidate(new Set(['other']));
    const after = cache.find(lookup('a', null));
    service.waiting[0]?.(value('a'));
    expect(await before).toEqual(value('a'));
    expect(await after).toBeNull();
    expect(await cache.find(lookup('a', value('never looked up')))).toBeNull();
  });
});

describe('lookups of unverified credentials', () => {
  it('are 429 beyond the limit of their address, and those of other addresses are not', async () => {
    for (let count = 0; count < 500; count += 1) {
      await cache.find(lookup(`bad ${count}`, null));
    }
    await expect(cache.find(lookup('bad', null))).rejects.toMatchObject({ status: 429 });
    const elsewhere = { ...lookup('good', value('good')), address: '192.0.2.2' };
    expect(await cache.find(elsewhere)).toEqual(value('good'));
    expect(sent).toHaveLength(501);
  });

  it('do not count when the credential is valid', async () => {
    for (let count = 0; count < 1_000; count += 1) {
      expect(await cache.find(lookup(`good ${count}`, value('good')))).toEqual(value('good'));
    }
  });

  it('take at most 32 of the 64 slots', async () => {
    const service = slowService();
    const find = (key: string, address: string | null) =>
      cache.find({ key, address, send: service.send }).catch((error: unknown) => error);
    const flood = Array.from({ length: 40 }, (_, index) =>
      find(`unverified ${index}`, '192.0.2.3'),
    );
    await settle();
    expect(service.waiting).toHaveLength(32);
    const verified = Array.from({ length: 40 }, (_, index) => find(`verified ${index}`, null));
    await settle();
    expect(service.waiting).toHaveLength(64);
    // Repeatedly, because on a slow machine lookups are sent a second time.
    const responding = setInterval(() => service.waiting.shift()?.(value('good')), 1);
    const found = await Promise.all([...flood, ...verified]);
    clearInterval(responding);
    expect(found).toEqual(Array(80).fill(value('good')));
  });
});
