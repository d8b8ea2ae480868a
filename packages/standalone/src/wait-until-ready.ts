import { setTimeout as sleep } from 'node:timers/promises';
import { get } from '@commonplace/http/node-http';

const secondsMax = 30;

/** Polls `GET /readyz` until it returns 200. (Not with fetch, which costs the supervisor 10 MB.) */
export const waitUntilReady = async (baseUrl: string, signal?: AbortSignal): Promise<void> => {
  const deadline = performance.now() + secondsMax * 1000;
  for (;;) {
    const response = await fetchStatus(`${baseUrl}/readyz`);
    if (response.startsWith('200')) {
      return;
    }
    signal?.throwIfAborted();
    if (performance.now() > deadline) {
      throw new Error(
        `The gateway was not ready within ${secondsMax} s. Last response: ${response}`,
      );
    }
    await sleep(25);
  }
};

/** Status and beginning of the body, or the error. */
const fetchStatus = (url: string): Promise<string> =>
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
