import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: object) => void;

/** Gets V8's own `gc`, so that the command line does not have to name it. */
export const collector = (): Collect => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return collect;
};

/**
 * Releases startup memory, which V8 would keep for as long as the process is idle. Takes about 50 ms. For
 * processes that serve few requests: a full collection drops hidden classes, and requests are slower from
 * then on (docs/adr/0032).
 */
export const trimMemory = (): void => {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};
