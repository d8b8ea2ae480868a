import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects everything when the heap has grown by a share of itself, and counts buffers outside of it. Ours
 * are small, 20 MB, and bodies of 700 KB pass through: the gateway collected everything four times a second to
 * free 1 MB, more than half of the time it spent on pages. With this, heaps may grow to three times what is in use
 * (docs/adr/0019).
 */
export const leaveRoom = (): void => {
  setFlagsFromString('--heap-growing-percent=200');
};
