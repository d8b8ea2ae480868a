import { readFileSync } from 'node:fs';
import { readEnvironment } from '../config.ts';
import type { Environment } from '@commonplace/config';

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
