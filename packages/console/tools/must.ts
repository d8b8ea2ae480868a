import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '@commonplace/e2e';

type Fields = Readonly<Record<string, unknown>>;

const attemptsMax = 40;

/** Calls the API and throws on an error; 503 is retried, because the system may still be starting. */
export const must = async (api: Api, call: string, body?: object): Promise<Fields> => {
  const [method = '', path = ''] = call.split(' ');
  for (let attempt = 1; ; attempt += 1) {
    const response = await api(method, path, body === undefined ? {} : { body });
    if (response.status < 300) {
      return response.body as Fields;
    }
    if (response.status !== 503 || attempt === attemptsMax) {
      throw new Error(`${call} returned ${response.status}: ${JSON.stringify(response.body)}`);
    }
    await sleep(500);
  }
};
