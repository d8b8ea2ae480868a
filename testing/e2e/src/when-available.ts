import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 500;

/** Repeats a request as clients do while it is 503, which a busy machine may return. */
export const whenAvailable = async <Response extends { readonly status: number }>(
  send: () => Promise<Response>,
  attemptsMax = 8,
): Promise<Response> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    if (response.status !== 503 || attempt === attemptsMax) {
      return response;
    }
    await sleep(pauseMs);
  }
};
