import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, type Api, type ApiOptions } from '@commonplace/e2e';

const triesMax = 30;

/** Makes a caller that comes again when it is told to (503), as clients do on a machine that is busy. */
export const patientApi = (options: ApiOptions): Api => {
  const api = createApi(options);
  return async (method, path, call) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await api(method, path, call);
      if (answer.status !== 503 || tries === triesMax) {
        return answer;
      }
      await sleep(500);
    }
  };
};
