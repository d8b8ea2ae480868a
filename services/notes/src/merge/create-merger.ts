import type { NoteFields } from '@commonplace/contracts/notes';
import { mergeRest, withContent, type Sides } from './merge-note.ts';
import { mergeWithin, tooCostly, type Texts } from '@commonplace/merge';

/** Merges texts in a worker thread, one at a time. */
export type MergeThread = {
  readonly merge: (texts: Texts, msMax: number) => Promise<MadeMerge>;
};

type MadeMerge = {
  /** Null: a conflict, a timeout, or out of memory. */
  readonly merged: string | null;
  /** Duration, without the time in the queue. */
  readonly ms: number;
};

/** The merge time left for a request. Beyond it notes are not merged; both sides are kept. */
export type MergeBudget = { msLeft: number };

/** A budget for one request, well below the deadline of its response. */
export const newMergeBudget = (): MergeBudget => ({ msLeft: 8_000 });

/** Disables merges. */
export const noMergeBudget: Readonly<MergeBudget> = { msLeft: 0 };

/** Merges made on the event loop, made in the thread, and given up. */
export type MergeCounters = { inline: number; inThread: number; givenUp: number };

export type Merger = {
  /** Merges synchronously if that is cheap; `tooCostly`: use `merge`. */
  readonly mergeNow: (sides: Sides) => NoteFields | null | typeof tooCostly;
  /** Merges in the thread, within the budget; null: not mergeable or out of budget. */
  readonly merge: (sides: Sides, budget: MergeBudget) => Promise<NoteFields | null>;
};

/** Limits of merges on the event loop: about a millisecond of work. */
const inlineMax = { characters: 64 * 1024, steps: 200_000 } as const;
/** Time limit of one merge. The longest within the step limit take a quarter of a second. */
const mergeMsMax = 2_000;

/** Creates a merger that handles cheap merges inline and the others in a thread. */
export const createMerger = (thread: MergeThread, counters: MergeCounters): Merger => ({
  mergeNow: (sides) => {
    const { base, ours, theirs } = textsOf(sides);
    if (base.length + ours.length + theirs.length > inlineMax.characters) {
      return tooCostly;
    }
    const rest = mergeRest(sides);
    const content = rest && mergeWithin({ base, ours, theirs }, inlineMax.steps);
    if (content === tooCostly) {
      return tooCostly;
    }
    counters.inline += 1;
    return rest && withContent(rest, content);
  },
  merge: async (sides, budget) => {
    const rest = mergeRest(sides);
    if (!rest || budget.msLeft <= 0) {
      counters.givenUp += rest ? 1 : 0;
      return null;
    }
    const { merged, ms } = await thread.merge(textsOf(sides), Math.min(mergeMsMax, budget.msLeft));
    budget.msLeft -= ms;
    counters.inThread += 1;
    return withContent(rest, merged);
  },
});

const textsOf = ({ base, ours, theirs }: Sides) => ({
  base: base.content,
  ours: ours.content,
  theirs: theirs.content,
});
