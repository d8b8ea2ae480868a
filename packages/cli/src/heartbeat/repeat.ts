import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Does the work at once and then at every tick, until told to stop. Ticks that pass while the work is
 * still going on are left out, so it never overlaps itself and never has to catch up.
 */
export const repeat = async (
  everyMs: number,
  work: () => Promise<unknown>,
  stop: AbortSignal,
): Promise<void> => {
  for (let dueAtMs = performance.now(); !stop.aborted;) {
    await work();
    const nowMs = performance.now();
    dueAtMs += Math.max(1, Math.ceil((nowMs - dueAtMs) / everyMs)) * everyMs;
    await sleep(dueAtMs - nowMs, undefined, { signal: stop }).catch(() => undefined);
  }
};
