import type { Agent } from 'node:http';
import { get } from './node-http.ts';
import { serviceAgent } from './service-agent.ts';

/** Tells whether a service is ready: some process of it, when there are several. */
export type ServiceProbe = () => Promise<boolean>;

const askMaxMs = 1_000;
const triesMax = 2;

/** Makes the question for the readiness of a service. A process that does not answer is asked in vain once. */
export const serviceProbe = (baseUrls: readonly string[]): ServiceProbe => {
  const agent = serviceAgent(baseUrls);
  const url = new URL('/readyz', baseUrls[0]);
  return async () => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      if (await isReady(url, agent)) {
        return true;
      }
    }
    return false;
  };
};

const isReady = (url: URL, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get(url, { agent }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    const tooLate = setTimeout(() => {
      asked.destroy(new Error(`No answer within ${askMaxMs} ms`));
      resolve(false);
    }, askMaxMs);
    asked.once('error', () => resolve(false));
    asked.once('close', () => clearTimeout(tooLate));
  });
