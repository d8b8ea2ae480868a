import { describe, expect, it } from '@jest/globals';
import { createBatchQueue, type BatchSize } from '@commonplace/concurrency';
import { trimMemory } from '@commonplace/http/trim-memory';

type Entry = BatchSize & { readonly name: string };

const company = 'company';
const entryOf = (name: string): Entry => ({ name, changes: 1, bytes: 0 });

describe('the queue of writes', () => {
  it('nothing is kept of a write that has its result, which may hold a large text', async () => {
    const { promise: rest, resolve: endRest } = Promise.withResolvers<void>();
    const results: WeakRef<object>[] = [];
    // A variable of the waiting function would keep the last result itself.
    const resultOf = ({ name }: Entry): PromiseSettledResult<object> => {
      const value = { text: name };
      results.push(new WeakRef(value));
      return { status: 'fulfilled', value };
    };
    const submit = createBatchQueue<string, Entry, object>({
      run: (_companyId, entries, settle) => {
        entries.forEach((entry) => settle(entry, resultOf(entry)));
        return rest;
      },
      batchMax: { changes: 3, bytes: 100 },
      queueMax: { changes: 9, bytes: 900 },
      rejection: () => new Error('full'),
    });
    const first = submit(company, entryOf('a')).then(() => 'done');
    const others = ['b', 'c'].map((name) => submit(company, entryOf(name)).then(() => 'done'));
    expect(await first).toBe('done');
    await new Promise(setImmediate);
    trimMemory();
    expect(results.map((result) => result.deref())).toEqual([undefined]);
    endRest();
    expect(await Promise.all(others)).toEqual(['done', 'done']);
  });
});
