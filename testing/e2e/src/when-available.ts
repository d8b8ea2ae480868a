import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './call-api.ts';

const attemptsMax = 4;

/** Repeats a request as clients do: on a busy machine a lookup may time out, which is 503 with `Retry-After`. */
export const whenAvailable = async (send: () => ReturnType<Api>): ReturnType<Api> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    if (response.status !== 503 || attempt === attemptsMax) {
      return response;
    }
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
  }
};
