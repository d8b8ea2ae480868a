import { describe, expect, it } from '@jest/globals';
import { takeOut, takeOutStepsMax, tooCostly, type Removal } from '@commonplace/merge';
import { createTakeOutLines } from './take-out-lines.ts';

/** Takes versions out with a thread that counts what it gets. */
const takingOut = () => {
  const inThread: Removal[] = [];
  const takeOutLines = createTakeOutLines(async (removal) => {
    inThread.push(removal);
    const taken = takeOut(removal, takeOutStepsMax);
    return { taken: taken === tooCostly ? null : taken, ms: 0 };
  });
  return { inThread, takeOutLines };
};

const removalOf = (...versions: string[]): Removal => ({
  versions,
  ranges: [{ first: 1, last: 1 }],
});

describe('taking versions out of a text', () => {
  it('needs no thread for a usual note', async () => {
    const { inThread, takeOutLines } = takingOut();
    const text = 'a line of words\n'.repeat(300);
    const taken = await takeOutLines(removalOf(text, `${text}new\n`, `${text}new\nlater\n`));
    expect(taken).toEqual({ text: `${text}later\n`, left: [] });
    expect(inThread).toEqual([]);
  });

  it('is left to the thread where a short text has thousands of lines', async () => {
    const { inThread, takeOutLines } = takingOut();
    const before = 'x\n'.repeat(1_000);
    const now = `${'x\n'.repeat(999)}z\n`.repeat(2);
    expect(await takeOutLines(removalOf(before, 'y\n', now))).not.toBeNull();
    expect(inThread).toHaveLength(1);
  });
});
