import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './call-api.ts';

const pauseMs = 500;

/** Repeats a request as clients do while it is 503, which a busy machine may return. */
export const whenAvailable = async (
  send: () => ReturnType<Api>,
  attemptsMax = 8,
): ReturnType<Api> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    if (response.status !== 503 || attempt === attemptsMax) {
      return response;
    }
    await sleep(pauseMs);
  }
};
