import { setFlagsFromString } from 'node:v8';

/**
 * When a process has little to do for eight seconds, V8 collects so as to hold as little memory as it can.
 * That forgets the shapes of objects of which none is alive at that moment, and code that was made fast for
 * them is slow from then on: a read took a gateway that had paused a seventh more processor time in the
 * next minute. V8 still collects in pauses, but no longer at that price (docs/adr/0032).
 */
export const keepShapes = (): void => {
  setFlagsFromString('--no-memory-reducer-favors-memory');
};
