import { describe, expect, it } from '@jest/globals';
import { noteInput } from '@commonplace/contracts/notes';
import { createMergeThread } from '../create-merge-thread.ts';
import { createMerger, type MergeThread } from './create-merger.ts';
import { mergeText, tooCostly } from '@commonplace/merge';

const sidesOf = (base: string, ours: string, theirs: string) => {
  const [one, two, three] = [base, ours, theirs].map((content) => noteInput.parse({ content }));
  if (!one || !two || !three) {
    throw new Error('There are three sides');
  }
  return { base: one, ours: two, theirs: three };
};
const newCounters = () => ({ inline: 0, inThread: 0, givenUp: 0 });
const repeated = 'the same line\n'.repeat(220);
const costly = sidesOf(repeated, `x\n${repeated}y\n`, `z\n${repeated}w\n`);

describe('createMerger', () => {
  const threadOf = (ms: number): MergeThread & { calls: number } => {
    const thread = {
      calls: 0,
      merge: async () => {
        thread.calls += 1;
        return { merged: 'merged', ms };
      },
    };
    return thread;
  };

  it('merges small and cheap texts inline, and large or costly ones in the thread', () => {
    const counters = newCounters();
    const merger = createMerger(threadOf(1), counters);
    expect(merger.mergeNow(sidesOf('a\nb\nc', 'A\nb\nc', 'a\nb\nC'))).toMatchObject({
      content: 'A\nb\nC',
    });
    expect(merger.mergeNow(costly)).toBe(tooCostly);
    const large = 'line\n'.repeat(20_000);
    expect(merger.mergeNow(sidesOf(large, `${large}x`, `y\n${large}`))).toBe(tooCostly);
    expect(counters).toEqual({ inline: 1, inThread: 0, givenUp: 0 });
  });

  it('a request whose budget is used up keeps both sides, and its merges are not even tried', async () => {
    const counters = newCounters();
    const thread = threadOf(400);
    const merger = createMerger(thread, counters);
    const budget = { msLeft: 1_000 };
    const made = [];
    for (let count = 0; count < 5; count += 1) {
      made.push(await merger.merge(costly, budget));
    }
    expect(made.map((merged) => merged?.content ?? null)).toEqual([
      'merged',
      'merged',
      'merged',
      null,
      null,
    ]);
    expect(thread.calls).toBe(3);
    expect(counters).toEqual({ inline: 0, inThread: 3, givenUp: 2 });
  });

  it('a field that was changed on both sides spares the merge of the content', async () => {
    const thread = threadOf(1);
    const merger = createMerger(thread, newCounters());
    const { base, ours, theirs } = costly;
    const titled = { base, ours: { ...ours, title: 'a' }, theirs: { ...theirs, title: 'b' } };
    expect(await merger.merge(titled, { msLeft: 1_000 })).toBeNull();
    expect(thread.calls).toBe(0);
  });
});

describe('createMergeThread', () => {
  it('merges as on the event loop', async () => {
    const thread = createMergeThread({ onError: () => undefined, idleMs: 10 });
    const [base, ours, theirs] = [costly.base, costly.ours, costly.theirs].map(
      ({ content }) => content,
    );
    const texts = { base: base ?? '', ours: ours ?? '', theirs: theirs ?? '' };
    const { merged } = await thread.merge(texts, 60_000);
    expect(merged).toBe(mergeText(texts.base, texts.ours, texts.theirs));
    expect((await thread.merge({ ...texts, theirs: 'other' }, 60_000)).merged).toBeNull();
  });

  it('a merge that takes too long is ended and said so, and the next one is made by a new thread', async () => {
    const errors: unknown[] = [];
    const thread = createMergeThread({ onError: (error) => errors.push(error), idleMs: 10 });
    const many = 'l\n'.repeat(250_000);
    const long = { base: many, ours: `x\n${many}y\n`, theirs: `z\n${many}w\n` };
    const short = { base: 'a\nb', ours: 'A\nb', theirs: 'a\nB\nc' };
    const made = await Promise.all([
      thread.merge(long, 1),
      thread.merge({ base: 'a\nb\nc', ours: 'A\nb\nc', theirs: 'a\nb\nC' }, 60_000),
      thread.merge(short, 60_000),
    ]);
    expect(made.map(({ merged }) => merged)).toEqual([null, 'A\nb\nC', null]);
    expect(errors).toHaveLength(1);
  });
});
