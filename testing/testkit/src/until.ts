import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so, for less time than a test may take, so that the error says what did not happen. */
export const until = async (
  isSo: () => boolean | Promise<boolean>,
  secondsMax = 50,
): Promise<void> => {
  const deadlineMs = performance.now() + secondsMax * 1_000;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Still not so after ${secondsMax} s: ${String(isSo)}`);
    }
    await sleep(10);
  }
};
