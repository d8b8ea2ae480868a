import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: object) => void;

/** By then what was read and compiled for the start lies still. */
const afterMs = 1_000;

/**
 * Gives back what starting took, once, soon after it: about 14 of 60 MB, mostly space that V8 grew for
 * reading modules and would keep for as long as nobody asks for anything. It takes 50 ms.
 */
export const trimMemoryAfterStart = (): void => {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, afterMs).unref();
};
