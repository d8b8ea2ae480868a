import { setTimeout as sleep } from 'node:timers/promises';

const secondsMax = 60;

/** Waits until something is as it should be; an error says that it is not `what`. */
export const untilTrue = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + secondsMax * 1_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) {
      throw new Error(`Not ${what} within ${secondsMax} s`);
    }
    await sleep(100);
  }
};
