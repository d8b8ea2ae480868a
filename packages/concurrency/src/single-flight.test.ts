import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { coalesceFresh } from './single-flight.ts';

/** A thing that changes, and takes a while to tell what it was when it was asked. */
const createSource = () => {
  const waiting: (() => void)[] = [];
  const source = { version: 0, sent: 0, waiting };
  const ask = (_question: { readonly key: string }): Promise<number> => {
    const seen = source.version;
    source.sent += 1;
    return new Promise((resolve) => waiting.push(() => resolve(seen)));
  };
  return { source, ask };
};

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('an answer that is shared', () => {
  it('is never older than the question of anybody who gets it, and two questions do for all', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('ask', 'change', 'answer'), { maxLength: 60 }),
        async (steps) => {
          const { source, ask } = createSource();
          const askAfresh = coalesceFresh(ask);
          const got: Promise<boolean>[] = [];
          const act = {
            ask: () => {
              const askedAt = source.version;
              got.push(askAfresh({ key: 'one' }).then((seen) => seen >= askedAt));
            },
            change: () => (source.version += 1),
            answer: () => source.waiting.shift()?.(),
          };
          for (const step of steps) {
            act[step]();
            await settle();
            expect(source.waiting.length).toBeLessThanOrEqual(1);
          }
          while (source.waiting.length > 0) {
            act.answer();
            await settle();
          }
          expect(await Promise.all(got)).toEqual(got.map(() => true));
        },
      ),
    ));

  it('is asked for twice, when many ask while a first question is under way', async () => {
    const { source, ask } = createSource();
    const askAfresh = coalesceFresh(ask);
    const first = askAfresh({ key: 'one' });
    source.version = 1;
    const others = Array.from({ length: 30 }, () => askAfresh({ key: 'one' }));
    source.waiting.shift()?.();
    await settle();
    source.waiting.shift()?.();
    expect(await Promise.all([first, ...others])).toEqual([0, ...others.map(() => 1)]);
    expect(source.sent).toBe(2);
  });

  it('is shared with nobody who asks something else', async () => {
    const askAfresh = coalesceFresh(({ key }: { readonly key: string }) => Promise.resolve(key));
    expect(await Promise.all(['a', 'b', 'a'].map((key) => askAfresh({ key })))).toEqual([
      'a',
      'b',
      'a',
    ]);
  });

  it('fails for those who share it, and for nobody after them', async () => {
    let fails = true;
    const askAfresh = coalesceFresh((_question: { readonly key: string }) =>
      fails ? Promise.reject(new Error('away')) : Promise.resolve('here'),
    );
    const both = await Promise.allSettled([askAfresh({ key: 'a' }), askAfresh({ key: 'a' })]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    await expect(askAfresh({ key: 'a' })).resolves.toBe('here');
  });
});
