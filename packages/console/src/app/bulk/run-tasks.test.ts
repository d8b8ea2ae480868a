import { describe, expect, it } from '@jest/globals';
import { runTasks, type Outcome } from './run-tasks.ts';

const tasks = Array.from({ length: 10 }, (_, index) => index);
const never = () => false;
const ignore = () => undefined;
const { signal } = new AbortController();

/** One task a request. */
const alone = <Result>(applyOne: (task: number) => Promise<Result>) => ({
  together: 1,
  apply: async ([task = -1]: readonly number[]): Promise<readonly Outcome<Result>[]> => [
    { result: await applyOne(task) },
  ],
});

describe('tasks on many notes', () => {
  it('are done four at once at most, and reported in their order', async () => {
    let running = 0;
    let most = 0;
    const applyOne = async (task: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < 10 - task; turn += 1) {
        await Promise.resolve();
      }
      running -= 1;
      return task * 2;
    };
    const report = await runTasks({
      tasks,
      ...alone(applyOne),
      isFatal: never,
      onProgress: ignore,
      signal,
    });
    expect(most).toBe(4);
    expect(report).toEqual({ done: tasks.map((task) => task * 2), failed: [], left: [] });
  });

  it('that fail are named with their error, and the others are done', async () => {
    const ended: number[] = [];
    const report = await runTasks({
      tasks,
      ...alone((task) =>
        task % 4 === 1 ? Promise.reject(new Error(`${task}`)) : Promise.resolve(),
      ),
      isFatal: never,
      onProgress: (count) => ended.push(count),
      signal,
    });
    expect(report.failed.map(({ task, error }) => [task, (error as Error).message])).toEqual([
      [1, '1'],
      [5, '5'],
      [9, '9'],
    ]);
    expect(report.done).toHaveLength(7);
    expect(ended.at(-1)).toBe(10);
  });

  it('are left alone after an error that all of them would meet', async () => {
    const report = await runTasks({
      tasks,
      ...alone(() => Promise.reject(new Error('unreachable'))),
      isFatal: () => true,
      onProgress: ignore,
      signal,
    });
    expect(report.failed.map(({ task }) => task)).toEqual([0, 1, 2, 3]);
    expect(report.left).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('are left alone once they are stopped', async () => {
    const stop = new AbortController();
    const report = await runTasks({
      tasks,
      ...alone((task) => {
        if (task === 2) {
          stop.abort();
        }
        return Promise.resolve(task);
      }),
      isFatal: never,
      onProgress: ignore,
      signal: stop.signal,
    });
    expect([...report.done, ...report.left]).toEqual(tasks);
    expect(report.left.length).toBeGreaterThan(0);
  });

  it('share requests, each with an outcome of its own', async () => {
    const batches: (readonly number[])[] = [];
    const report = await runTasks({
      tasks,
      together: 4,
      apply: (batch) => {
        batches.push(batch);
        return Promise.resolve(
          batch.map((task) => (task === 5 ? { error: 'changed' } : { result: task })),
        );
      },
      isFatal: never,
      onProgress: ignore,
      signal,
    });
    expect(batches.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(report).toEqual({
      done: tasks.filter((task) => task !== 5),
      failed: [{ task: 5, error: 'changed' }],
      left: [],
    });
  });
});
