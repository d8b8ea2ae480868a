import { setTimeout as sleep } from 'node:timers/promises';

const secondsMax = 60;

/** Waits until a node is as it should be; `what` says that in an error. */
export const untilTrue = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + secondsMax * 1_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) {
      throw new Error(`Not ${what} within ${secondsMax} s`);
    }
    await sleep(100);
  }
};
