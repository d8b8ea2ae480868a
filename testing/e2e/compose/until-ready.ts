import { setTimeout as sleep } from 'node:timers/promises';

const readyMaxMs = 300_000;

/** Waits until /readyz returns 200. */
export const untilReady = async (baseUrl: string): Promise<void> => {
  const deadline = performance.now() + readyMaxMs;
  while (performance.now() < deadline) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (response?.status === 200) {
      return;
    }
    await sleep(50);
  }
  throw new Error(`${baseUrl} was not ready within ${readyMaxMs / 1000} s`);
};
