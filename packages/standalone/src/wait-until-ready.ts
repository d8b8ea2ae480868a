import { setTimeout as sleep } from 'node:timers/promises';
import { get } from '@commonplace/http/node-http';

const secondsMax = 30;

/** Asks `GET /readyz` until it answers 200. (Not with fetch, which costs the supervisor 10 MB.) */
export const waitUntilReady = async (baseUrl: string, signal?: AbortSignal): Promise<void> => {
  const deadline = Date.now() + secondsMax * 1000;
  for (;;) {
    const answer = await ask(`${baseUrl}/readyz`);
    if (answer.startsWith('200')) {
      return;
    }
    signal?.throwIfAborted();
    if (Date.now() > deadline) {
      throw new Error(`The gateway was not ready within ${secondsMax} s. It answered: ${answer}`);
    }
    await sleep(25);
  }
};

/** Status and beginning of the body, or why there was no answer. */
const ask = (url: string): Promise<string> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 5_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve(`${response.statusCode} ${body.slice(0, 1_000)}`));
      response.on('error', (error) => resolve(error.message));
    });
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', (error) => resolve(error.message));
  });
