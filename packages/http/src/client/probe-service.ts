import type { Agent, IncomingMessage } from 'node:http';
import { get } from '../server/node-http.ts';
import { serviceAgent } from './balanced-agent.ts';

/** Tells why a service is not ready, or null when it is: some process of it, where there are several. */
export type ServiceProbe = () => Promise<string | null>;

const askMaxMs = 1_000;
const triesMax = 2;

/** Makes the question for the readiness of a service. A process that does not answer is asked in vain once. */
export const serviceProbe = (baseUrls: readonly string[]): ServiceProbe => {
  const agent = serviceAgent(baseUrls);
  const url = new URL('/readyz', baseUrls[0]);
  return async () => {
    let trouble: string | null = null;
    for (let tries = 0; tries < triesMax; tries += 1) {
      trouble = await troubleOf(url, agent);
      if (trouble === null) {
        return null;
      }
    }
    return trouble;
  };
};

const troubleOf = (url: URL, agent: Agent): Promise<string | null> =>
  new Promise((resolve) => {
    const asked = get(url, { agent }, (response) => {
      if (response.statusCode === 200) {
        response.resume();
        resolve(null);
      } else {
        detailOf(response).then(resolve, () => resolve(noAnswer));
      }
    });
    const tooLate = setTimeout(() => {
      asked.destroy(new Error(`No answer within ${askMaxMs} ms`));
      resolve(`No answer within ${askMaxMs} ms.`);
    }, askMaxMs);
    asked.once('error', () => resolve(noAnswer));
    asked.once('close', () => clearTimeout(tooLate));
  });

const noAnswer = 'No answer.';

/** What our own services say, which is meant for people and names no secret. */
const detailOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > textMax) {
      break;
    }
  }
  const { detail } = JSON.parse(text) as { readonly detail?: unknown };
  return typeof detail === 'string' ? detail : noAnswer;
};

const textMax = 4_096;
