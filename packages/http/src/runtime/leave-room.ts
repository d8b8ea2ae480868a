import { setFlagsFromString } from 'node:v8';

/**
 * For processes that large bodies pass through. V8 collects everything when a heap has grown by a share of
 * what is in use, and counts buffers outside of it. A gateway uses 20 MB, and a page of notes has 700 KB: it
 * collected everything four times a second to free 1 MB, more than half of the time it spent on pages. The notes
 * service did so with every third large push. With this a heap may grow to three times what is in use
 * (docs/adr/0032).
 */
export const leaveRoom = (): void => {
  setFlagsFromString('--heap-growing-percent=200');
};
