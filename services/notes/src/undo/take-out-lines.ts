import { takeOut, tooCostly, type Removal, type TakenOut } from '@commonplace/merge';
import { restAfter } from '../write/costly-work.ts';

/** Takes versions out of a text in a worker thread. */
export type TakeOutInThread = (removal: Removal, msMax: number) => Promise<TakenInThread>;

type TakenInThread = {
  /** Null: a timeout, or out of memory. */
  readonly taken: TakenOut | null;
  /** Duration, without the time in the queue. */
  readonly ms: number;
};

/** The text without some versions; null: that would take too long. */
export type TakeOutLines = (removal: Removal) => Promise<TakenOut | null>;

/** Limits of the work on the event loop: about a millisecond. */
const inlineMax = { characters: 128 * 1024, steps: 50_000 } as const;
/** Time limit in the thread. */
const msMax = 5_000;

/** Takes versions out inline where that is cheap, and in the thread where it is not. */
export const createTakeOutLines =
  (inThread: TakeOutInThread): TakeOutLines =>
  async (removal) => {
    const characters = removal.versions.reduce((sum, text) => sum + text.length, 0);
    const inline =
      characters <= inlineMax.characters ? takeOut(removal, inlineMax.steps) : tooCostly;
    if (inline !== tooCostly) {
      return inline;
    }
    const { taken, ms } = await inThread(removal, msMax);
    await restAfter(ms);
    return taken;
  };
