import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { coalesceFresh } from './coalesce-fresh.ts';

/** A value that changes; `fetch` resolves later to the value at the time of its call. */
const createSource = () => {
  const waiting: (() => void)[] = [];
  const source = { version: 0, sent: 0, waiting };
  const fetch = (_request: { readonly key: string }): Promise<number> => {
    const seen = source.version;
    source.sent += 1;
    return new Promise((resolve) => waiting.push(() => resolve(seen)));
  };
  return { source, fetch };
};

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('a coalesced result', () => {
  it('is never older than the request of a caller, and two fetches serve all', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('request', 'change', 'respond'), { maxLength: 60 }),
        async (steps) => {
          const { source, fetch } = createSource();
          const fetchFresh = coalesceFresh(fetch);
          const got: Promise<boolean>[] = [];
          const act = {
            request: () => {
              const requestedAt = source.version;
              got.push(fetchFresh({ key: 'one' }).then((seen) => seen >= requestedAt));
            },
            change: () => (source.version += 1),
            respond: () => source.waiting.shift()?.(),
          };
          for (const step of steps) {
            act[step]();
            await settle();
            expect(source.waiting.length).toBeLessThanOrEqual(1);
          }
          while (source.waiting.length > 0) {
            act.respond();
            await settle();
          }
          expect(await Promise.all(got)).toEqual(got.map(() => true));
        },
      ),
    ));

  it('is fetched twice when many request it during a first fetch', async () => {
    const { source, fetch } = createSource();
    const fetchFresh = coalesceFresh(fetch);
    const first = fetchFresh({ key: 'one' });
    source.version = 1;
    const others = Array.from({ length: 30 }, () => fetchFresh({ key: 'one' }));
    source.waiting.shift()?.();
    await settle();
    source.waiting.shift()?.();
    expect(await Promise.all([first, ...others])).toEqual([0, ...others.map(() => 1)]);
    expect(source.sent).toBe(2);
  });

  it('is not shared between keys', async () => {
    const fetchFresh = coalesceFresh(({ key }: { readonly key: string }) => Promise.resolve(key));
    expect(await Promise.all(['a', 'b', 'a'].map((key) => fetchFresh({ key })))).toEqual([
      'a',
      'b',
      'a',
    ]);
  });

  it('fails for those who share it, and not for later callers', async () => {
    let fails = true;
    const fetchFresh = coalesceFresh((_request: { readonly key: string }) =>
      fails ? Promise.reject(new Error('unavailable')) : Promise.resolve('available'),
    );
    const both = await Promise.allSettled([fetchFresh({ key: 'a' }), fetchFresh({ key: 'a' })]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    await expect(fetchFresh({ key: 'a' })).resolves.toBe('available');
  });
});
