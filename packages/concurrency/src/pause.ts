import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after the time or when the signal aborts. The timer does not keep the process alive. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
