import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '@commonplace/contracts';
import type { Authenticate } from './authenticate.ts';

/** How long the refusal of a flood is kept back: one client gets two a second. */
const delayMs = 500;

/** Refusals kept back at once; they cost a connection and a timer each. */
const delayedMax = 2_000;

/**
 * Lets a flood of credentials nobody has seen wait for its refusals. Each is cheap, and yet thousands a
 * second take the processor from everybody else: 32 clients that asked on at once slowed good ones to
 * half (`pnpm bench:access`).
 */
export const createTarpit = (authenticate: Authenticate): Authenticate => {
  let delayedCount = 0;
  return async (presented) => {
    try {
      return await authenticate(presented);
    } catch (error) {
      if (isAppError(error) && error.code === 'rate_limited' && delayedCount < delayedMax) {
        delayedCount += 1;
        await sleep(delayMs);
        delayedCount -= 1;
      }
      throw error;
    }
  };
};
