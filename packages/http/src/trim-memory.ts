import { collector } from './collector.ts';

/**
 * Gives back what starting took: about 14 of 60 MB, mostly space that V8 grew for reading modules and
 * would keep for as long as nobody asks for anything. It takes 50 ms, and other threads as much again.
 *
 * To be called before the first request, and never after. A full collection forgets the shapes of objects
 * of which none is alive, and code that was made fast for them is slow from then on: a second after the
 * start, when a few requests had passed, it cost services a sixth to a quarter of their speed.
 */
export const trimMemory = (): void => {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};
