import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, type Api, type ApiOptions } from '@commonplace/e2e';

const attemptsMax = 30;

/** A client that retries on 503, which a busy machine may return. */
export const retryingApi = (options: ApiOptions): Api => {
  const api = createApi(options);
  return async (method, path, call) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await api(method, path, call);
      if (response.status !== 503 || attempt === attemptsMax) {
        return response;
      }
      await sleep(500);
    }
  };
};
