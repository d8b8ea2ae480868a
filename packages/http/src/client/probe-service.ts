import type { Agent, IncomingMessage } from 'node:http';
import { get } from '../server/node-http.ts';
import { serviceAgent } from './balanced-agent.ts';

/** Returns why no process of a service is ready, or null when one is. */
export type ServiceProbe = () => Promise<string | null>;

const timeoutMs = 1_000;
const attemptsMax = 2;

/** Creates the readiness probe of a service. A second attempt reaches another process when one does not respond. */
export const serviceProbe = (baseUrls: readonly string[]): ServiceProbe => {
  const agent = serviceAgent(baseUrls);
  const url = new URL('/readyz', baseUrls[0]);
  return async () => {
    let problem: string | null = null;
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      problem = await probe(url, agent);
      if (problem === null) {
        return null;
      }
    }
    return problem;
  };
};

const probe = (url: URL, agent: Agent): Promise<string | null> =>
  new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      if (response.statusCode === 200) {
        response.resume();
        resolve(clockProblem(response.headers.date));
      } else {
        detailOf(response).then(resolve, () => resolve(noResponse));
      }
    });
    const timer = setTimeout(() => {
      request.destroy(new Error(`No response within ${timeoutMs} ms`));
      resolve(`No response within ${timeoutMs} ms.`);
    }, timeoutMs);
    request.once('error', () => resolve(noResponse));
    request.once('close', () => clearTimeout(timer));
  });

const noResponse = 'No response.';

/** Beyond it the identities of our requests are not valid there: they last ten seconds. */
const clockDifferenceMaxMs = 10_000;

/** The header has whole seconds. */
const clockProblem = (date: string | undefined): string | null => {
  const differenceMs = Math.abs(Date.parse(date ?? '') - Date.now());
  return differenceMs > clockDifferenceMaxMs + 1_000
    ? `Its clock differs by ${Math.round(differenceMs / 1000)} s.`
    : null;
};

/** The detail of a problem of our own services, which is meant for people and contains no secret. */
const detailOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > textMax) {
      break;
    }
  }
  const { detail } = JSON.parse(text) as { readonly detail?: unknown };
  return typeof detail === 'string' ? detail : noResponse;
};

const textMax = 4_096;
