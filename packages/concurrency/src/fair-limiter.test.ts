import { expect, test } from '@jest/globals';
import { createFairLimiter } from './fair-limiter.ts';

const rejection = () => new Error('busy');

/** A limiter with one slot that a task under `key` holds, and the order in which others run. */
const held = (waitingMax: number, keys: readonly string[] = ['other']) => {
  const limit = createFairLimiter({ runningMax: 1, waitingMax, rejection });
  const { promise, resolve } = Promise.withResolvers<void>();
  const holder = limit(keys, () => promise);
  const order: string[] = [];
  const add = (name: string, taskKeys: readonly string[]) =>
    limit(taskKeys, async () => void order.push(name)).catch(() => void order.push(`no ${name}`));
  return { add, order, release: () => (resolve(), holder) };
};

test('a task that arrives last runs before the rest of a flood under another key', async () => {
  const { add, order, release } = held(10, ['flood']);
  const flood = [1, 2, 3, 4].map((number) => add(`flood ${number}`, ['flood', `${number}`]));
  const neighbour = add('neighbour', ['neighbour', '5']);
  await release();
  await Promise.all([...flood, neighbour]);
  expect(order).toEqual(['neighbour', 'flood 1', 'flood 2', 'flood 3', 'flood 4']);
});

test('in a full queue the flood loses a place, not who arrives from elsewhere', async () => {
  const { add, order, release } = held(3);
  const flood = [1, 2, 3, 4].map((number) => add(`flood ${number}`, [`${number}`, 'address']));
  const neighbour = add('neighbour', ['5', 'elsewhere']);
  await Promise.resolve();
  await release();
  await Promise.all([...flood, neighbour]);
  expect(order.filter((name) => name.startsWith('no'))).toEqual(['no flood 4', 'no flood 3']);
  expect(order.filter((name) => !name.startsWith('no'))).toEqual([
    'flood 1',
    'neighbour',
    'flood 2',
  ]);
});

test('tasks of one key keep their order, and a failed one frees its slot', async () => {
  const limit = createFairLimiter({ runningMax: 1, waitingMax: 5, rejection });
  const failing = limit(['a'], () => Promise.reject(new Error('failed')));
  const order: number[] = [];
  const others = [1, 2, 3].map((number) => limit(['a'], async () => void order.push(number)));
  await expect(failing).rejects.toThrow('failed');
  await Promise.all(others);
  expect(order).toEqual([1, 2, 3]);
});
