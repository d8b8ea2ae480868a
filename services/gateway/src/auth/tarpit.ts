import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '@commonplace/contracts';
import type { Authenticate } from './authenticate.ts';

/** How long a rate-limited response is delayed: a client gets two a second per connection. */
const delayMs = 500;

/** The responses delayed at once. Each costs a connection and a timer. */
const delayedMax = 2_000;

/**
 * Delays the 429 responses of authentication, which only a flood of unverified credentials gets. One is cheap,
 * but thousands a second starve other clients: 32 clients without the delay halved the throughput of valid
 * ones (`pnpm bench:access`).
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
