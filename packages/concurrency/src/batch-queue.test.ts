import { describe, expect, it } from '@jest/globals';
import { createBatchQueue, type BatchSize } from './batch-queue.ts';

type Entry = BatchSize & { readonly name: string };

const company = 'company';
const busy = () =>
  Object.assign(new Error('full'), { code: 'busy', headers: { 'Retry-After': '1' } });
const entryOf = (name: string, changes = 1, bytes = 0): Entry => ({ name, changes, bytes });

/** A queue that records its batches; each ends when `end` is called. */
const controlled = (queueMax: BatchSize = { changes: 100, bytes: 1_000 }) => {
  const runs: string[][] = [];
  const ends: (() => void)[] = [];
  const submit = createBatchQueue<string, Entry, string>({
    run: async (_companyId, entries, settle) => {
      runs.push(entries.map(({ name }) => name));
      await new Promise<void>((resolve) => ends.push(resolve));
      entries.forEach((entry) =>
        settle(
          entry,
          entry.name === 'bad'
            ? { status: 'rejected', reason: new Error('bad') }
            : { status: 'fulfilled', value: entry.name },
        ),
      );
    },
    batchMax: { changes: 3, bytes: 100 },
    queueMax,
    rejection: busy,
  });
  /** Ends the batch in flight, and lets its callbacks run. */
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, submit, end };
};

describe('batch queue', () => {
  it('runs one batch of a company at a time; entries that arrive meanwhile join the next', async () => {
    const { runs, submit, end } = controlled();
    const all = Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => submit(company, entryOf(name))),
    );
    expect(runs).toEqual([['a']]);
    await end();
    expect(runs).toEqual([['a'], ['b', 'c', 'd']]);
    await end();
    await end();
    expect(await all).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('companies do not wait for each other', () => {
    const { runs, submit } = controlled();
    void submit(company, entryOf('a'));
    void submit('another company', entryOf('b'));
    expect(runs).toEqual([['a'], ['b']]);
  });

  it('limits changes and bytes of a batch, and accepts a single larger entry', async () => {
    const { runs, submit, end } = controlled();
    const entries = [
      entryOf('a'),
      entryOf('b', 1, 90),
      entryOf('c', 1, 20),
      entryOf('d', 2),
      entryOf('big', 9, 800),
    ];
    const all = Promise.all(entries.map((entry) => submit(company, entry)));
    for (let round = 0; round < 5; round += 1) {
      await end();
    }
    await all;
    expect(runs).toEqual([['a'], ['b'], ['c', 'd'], ['big']]);
  });

  it('a failing entry fails alone, and the queue continues', async () => {
    const { submit, end } = controlled();
    const all = Promise.allSettled(['a', 'bad', 'c'].map((name) => submit(company, entryOf(name))));
    await end();
    await end();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const later = submit(company, entryOf('later'));
    await end();
    expect(await later).toBe('later');
  });

  it('a full queue rejects with busy and Retry-After, and accepts entries again once it is shorter', async () => {
    const { submit, end } = controlled({ changes: 2, bytes: 1_000 });
    const good = Promise.all(['a', 'b', 'c'].map((name) => submit(company, entryOf(name))));
    await expect(submit(company, entryOf('d'))).rejects.toMatchObject({
      code: 'busy',
      headers: { 'Retry-After': '1' },
    });
    await end();
    const later = submit(company, entryOf('e'));
    await end();
    await end();
    expect(await good).toEqual(['a', 'b', 'c']);
    expect(await later).toBe('e');
  });

  it('a batch that throws fails its own entries only', async () => {
    let isFirst = true;
    const submit = createBatchQueue<string, Entry, string>({
      run: async (_companyId, entries, settle) => {
        if (isFirst) {
          isFirst = false;
          throw new Error('the database is unavailable');
        }
        entries.forEach((entry) => settle(entry, { status: 'fulfilled', value: entry.name }));
      },
      batchMax: { changes: 3, bytes: 100 },
      queueMax: { changes: 9, bytes: 900 },
      rejection: busy,
    });
    const settled = await Promise.allSettled(
      ['a', 'b'].map((name) => submit(company, entryOf(name))),
    );
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('an entry has its result before the rest of its batch ends, and one without a result fails', async () => {
    const { promise: rest, resolve: endRest } = Promise.withResolvers<void>();
    const submit = createBatchQueue<string, Entry, string>({
      run: async (_companyId, [first], settle) => {
        if (first) {
          settle(first, { status: 'fulfilled', value: first.name });
        }
        await rest;
      },
      batchMax: { changes: 3, bytes: 100 },
      queueMax: { changes: 9, bytes: 900 },
      rejection: busy,
    });
    const [alone, ...others] = ['a', 'b', 'c'].map((name) => submit(company, entryOf(name)));
    expect(await alone).toBe('a');
    endRest();
    const settled = await Promise.allSettled(others);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});
