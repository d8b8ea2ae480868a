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

/**
 * Limits of the work on the event loop: about a millisecond. Steps are those of comparing texts; putting lines back takes the
 * square of their number at worst.
 */
const inlineMax = { characters: 128 * 1024, lines: 2_000, steps: 50_000 } as const;
/** Time limit in the thread. */
const msMax = 5_000;

/** Takes versions out inline where that is cheap, and in the thread where it is not. */
export const createTakeOutLines =
  (inThread: TakeOutInThread): TakeOutLines =>
  async (removal) => {
    const inline = isShort(removal) ? takeOut(removal, inlineMax.steps) : tooCostly;
    if (inline !== tooCostly) {
      return inline;
    }
    const { taken, ms } = await inThread(removal, msMax);
    await restAfter(ms);
    return taken;
  };

const isShort = ({ versions }: Removal): boolean =>
  versions.reduce((sum, text) => sum + text.length, 0) <= inlineMax.characters &&
  versions.reduce((sum, text) => sum + text.split('\n').length, 0) <= inlineMax.lines;
