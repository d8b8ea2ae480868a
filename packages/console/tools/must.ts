import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '@commonplace/e2e';

type Fields = Readonly<Record<string, unknown>>;

const triesMax = 40;

/** A call that must succeed; a system that has just begun may ask for patience. */
export const must = async (api: Api, call: string, body?: object): Promise<Fields> => {
  const [method = '', path = ''] = call.split(' ');
  for (let attempt = 1; ; attempt += 1) {
    const answer = await api(method, path, body === undefined ? {} : { body });
    if (answer.status < 300) {
      return answer.body as Fields;
    }
    if (answer.status !== 503 || attempt === triesMax) {
      throw new Error(`${call} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    await sleep(500);
  }
};
