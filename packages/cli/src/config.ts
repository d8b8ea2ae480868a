import { readFileSync } from 'node:fs';
import { httpUrl, readConfig, type Environment } from '@commonplace/config';
import { isWellFormedApiKey } from '@commonplace/identity';
import { z } from 'zod';

const variables = z.object({
  COMMONPLACE_URL: httpUrl.default('http://127.0.0.1:8080'),
  COMMONPLACE_API_KEY: z
    .string({ error: 'is required, or COMMONPLACE_API_KEY_FILE: the API key of the agent' })
    .refine(isWellFormedApiKey, 'is not an API key of Commonplace, or was cut or mistyped'),
});

/** What a command needs of its environment. */
export type Config = {
  readonly baseUrl: string;
  /** Reads the key anew, so that one rotated in its file is used from the next request on. */
  readonly apiKey: () => string;
  /** The variables of this process, of which a command gets a few. */
  readonly environment: Environment;
};

/** What the environment says. Throws a ConfigError with every problem; the key is never in it. */
export const readEnvironment = (environment: Environment = process.env): Config => ({
  baseUrl: readConfig(variables, environment).COMMONPLACE_URL,
  apiKey: () => readConfig(variables, environment).COMMONPLACE_API_KEY,
  environment,
});

/** Where the API is, and by which credential. */
export type Access = { readonly baseUrl: string; readonly credential: () => string };

/**
 * The key of the environment; inside a heartbeat, the token of the run, in the form that the heartbeat
 * hands over and renews.
 */
export const readAccess = (environment: Environment = process.env): Access => {
  const token = environment['SERVICE_API_KEY'];
  const hasKey =
    environment['COMMONPLACE_API_KEY'] !== undefined ||
    environment['COMMONPLACE_API_KEY_FILE'] !== undefined;
  const baseUrl = environment['SERVICE_BASE_URL'];
  if (hasKey || token === undefined || baseUrl === undefined) {
    const { baseUrl: url, apiKey } = readEnvironment(environment);
    return { baseUrl: url, credential: apiKey };
  }
  const tokenFile = environment['SERVICE_TOKEN_FILE'];
  return {
    baseUrl,
    credential: () =>
      tokenFile === undefined ? token : readFileSync(tokenFile, 'utf8').trim() || token,
  };
};
