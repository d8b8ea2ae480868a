import { describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts/core';
import { createCompanyWriteQueue, type BatchSize } from './company-write-queue.ts';

type Job = BatchSize & { readonly name: string };

const company = companyId.parse(newId());
const jobOf = (name: string, changes = 1, bytes = 0): Job => ({ name, changes, bytes });

/** Lanes whose runs are recorded and end only when told to. */
const controlled = (queueMax: BatchSize = { changes: 100, bytes: 1_000 }) => {
  const runs: string[][] = [];
  const ends: (() => void)[] = [];
  const submit = createCompanyWriteQueue<Job, string>({
    run: async (_companyId, jobs) => {
      runs.push(jobs.map(({ name }) => name));
      await new Promise<void>((resolve) => ends.push(resolve));
      return jobs.map(({ name }) =>
        name === 'bad'
          ? { status: 'rejected', reason: new Error('bad') }
          : { status: 'fulfilled', value: name },
      );
    },
    batchMax: { changes: 3, bytes: 100 },
    queueMax,
  });
  /** Ends the run in flight, and lets what it leads to happen. */
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, submit, end };
};

describe('lanes', () => {
  it('one run at a time for a company: what arrives meanwhile joins the next', async () => {
    const { runs, submit, end } = controlled();
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => submit(company, jobOf(name))));
    expect(runs).toEqual([['a']]);
    await end();
    expect(runs).toEqual([['a'], ['b', 'c', 'd']]);
    await end();
    await end();
    expect(await all).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('companies do not wait for each other', () => {
    const { runs, submit } = controlled();
    void submit(company, jobOf('a'));
    void submit(companyId.parse(newId()), jobOf('b'));
    expect(runs).toEqual([['a'], ['b']]);
  });

  it('a run takes no more than its maximum of changes and bytes, and one job whatever its size', async () => {
    const { runs, submit, end } = controlled();
    const jobs = [
      jobOf('a'),
      jobOf('b', 1, 90),
      jobOf('c', 1, 20),
      jobOf('d', 2),
      jobOf('big', 9, 800),
    ];
    const all = Promise.all(jobs.map((job) => submit(company, job)));
    for (let round = 0; round < 5; round += 1) {
      await end();
    }
    await all;
    expect(runs).toEqual([['a'], ['b'], ['c', 'd'], ['big']]);
  });

  it('a job that fails fails alone, and the lane goes on', async () => {
    const { submit, end } = controlled();
    const all = Promise.allSettled(['a', 'bad', 'c'].map((name) => submit(company, jobOf(name))));
    await end();
    await end();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const later = submit(company, jobOf('later'));
    await end();
    expect(await later).toBe('later');
  });

  it('a full queue answers busy with Retry-After, and takes work again when it is shorter', async () => {
    const { submit, end } = controlled({ changes: 2, bytes: 1_000 });
    const good = Promise.all(['a', 'b', 'c'].map((name) => submit(company, jobOf(name))));
    await expect(submit(company, jobOf('d'))).rejects.toMatchObject({
      code: 'busy',
      headers: { 'Retry-After': '1' },
    });
    await end();
    const later = submit(company, jobOf('e'));
    await end();
    await end();
    expect(await good).toEqual(['a', 'b', 'c']);
    expect(await later).toBe('e');
  });

  it('a run that throws fails its jobs and nothing else', async () => {
    let isFirst = true;
    const submit = createCompanyWriteQueue<Job, string>({
      run: async (_companyId, jobs) => {
        if (isFirst) {
          isFirst = false;
          throw new Error('the database is away');
        }
        return jobs.map(({ name }) => ({ status: 'fulfilled', value: name }));
      },
      batchMax: { changes: 3, bytes: 100 },
      queueMax: { changes: 9, bytes: 900 },
    });
    const settled = await Promise.allSettled(
      ['a', 'b'].map((name) => submit(company, jobOf(name))),
    );
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
