import { readFileSync } from 'node:fs';
import { httpUrl, readConfig, type Environment } from '@commonplace/config';
import { isWellFormedApiKey } from '@commonplace/identity';
import { z } from 'zod';

const variables = z.object({
  COMMONPLACE_URL: httpUrl.default('http://127.0.0.1:8080'),
  COMMONPLACE_API_KEY: z
    .string({ error: 'is required, or COMMONPLACE_API_KEY_FILE: the API key of the agent' })
    .refine(isWellFormedApiKey, 'is not a Commonplace API key; it may be truncated or mistyped'),
});

/** The configuration of a command. */
export type Config = {
  readonly baseUrl: string;
  /** Reads the key again on each call, so that a key rotated in its file is used from the next request. */
  readonly apiKey: () => string;
  /** The variables of this process; the command gets only a few of them. */
  readonly environment: Environment;
};

/** Reads the environment. Throws a ConfigError that lists every problem and never contains the key. */
export const readEnvironment = (environment: Environment = process.env): Config => ({
  baseUrl: readConfig(variables, environment).COMMONPLACE_URL,
  apiKey: () => readConfig(variables, environment).COMMONPLACE_API_KEY,
  environment,
});

/** The URL of the API, and the credential to use. */
export type Access = { readonly baseUrl: string; readonly credential: () => string };

/**
 * Returns the API key of the environment. Inside a heartbeat without a key, returns the run's token, which
 * the heartbeat renews.
 */
export const readAccess = (environment: Environment = process.env): Access => {
  const token = valueOf(environment, 'SERVICE_API_KEY');
  const baseUrl = valueOf(environment, 'SERVICE_BASE_URL');
  if (hasKey(environment) || token === undefined || baseUrl === undefined) {
    const { baseUrl: url, apiKey } = readEnvironment(environment);
    return { baseUrl: url, credential: apiKey };
  }
  const tokenFile = valueOf(environment, 'SERVICE_TOKEN_FILE');
  return {
    baseUrl,
    credential: () =>
      tokenFile === undefined ? token : readFileSync(tokenFile, 'utf8').trim() || token,
  };
};

/** An empty variable is one that is not set, as everywhere: compose files and CI pass `${NAME:-}`. */
const valueOf = (environment: Environment, name: string): string | undefined =>
  environment[name] || undefined;

const hasAny = (environment: Environment, names: readonly string[]): boolean =>
  names.some((name) => valueOf(environment, name) !== undefined);

const keys = ['COMMONPLACE_API_KEY', 'COMMONPLACE_API_KEY_FILE'];
const sessions = ['COMMONPLACE_SESSION', 'COMMONPLACE_SESSION_FILE'];

const hasKey = (environment: Environment): boolean => hasAny(environment, keys);

const operatorVariables = z.object({
  COMMONPLACE_URL: variables.shape.COMMONPLACE_URL,
  COMMONPLACE_SESSION: z
    .string()
    .regex(/^[\u0021-\u003a\u003c-\u007e]+$/, 'is not the value of a cookie')
    .optional(),
});

/** The gateway, and the session of an operator; null means none, for a server in local trusted mode. */
export const readOperatorAccess = (environment: Environment = process.env) => {
  const read = () => readConfig(operatorVariables, environment);
  return {
    baseUrl: read().COMMONPLACE_URL,
    session: (): string | null => read().COMMONPLACE_SESSION ?? null,
  };
};

/** The URL that the commands of this environment call. */
export const readBaseUrl = (environment: Environment = process.env): string => {
  const ofRun = hasKey(environment) ? undefined : valueOf(environment, 'SERVICE_BASE_URL');
  return ofRun ?? readOperatorAccess(environment).baseUrl;
};

/** Whether the environment has the credential of an agent, and no session of an operator. */
export const isAgent = (environment: Environment = process.env): boolean =>
  agentVariables(environment).length > 0 && !hasAny(environment, sessions);

/** The variables with the key or token of an agent that are set: `COMMONPLACE_API_KEY_FILE`. */
export const agentVariables = (environment: Environment = process.env): string[] =>
  [...keys, 'SERVICE_API_KEY'].filter((name) => valueOf(environment, name) !== undefined);

/** The run of this process, inside a heartbeat. */
export const readRunId = (environment: Environment = process.env): string | undefined =>
  valueOf(environment, 'SERVICE_RUN_ID');

/**
 * The gateway and the credential of `commonplace mcp`: inside a run its token, so that every write is the run's, else
 * the API key. The credential is read again for every attempt, so that a renewed one is used at once.
 */
export const readMcpAccess = (environment: Environment = process.env): Access => {
  const tokenFile = valueOf(environment, 'SERVICE_TOKEN_FILE');
  const token = valueOf(environment, 'SERVICE_API_KEY');
  if (tokenFile === undefined && token === undefined) {
    const { baseUrl, apiKey } = readEnvironment(environment);
    return { baseUrl, credential: apiKey };
  }
  const { COMMONPLACE_URL } = readConfig(variables.pick({ COMMONPLACE_URL: true }), environment);
  return {
    baseUrl: valueOf(environment, 'SERVICE_BASE_URL') ?? COMMONPLACE_URL,
    credential: () => (tokenFile === undefined ? '' : readToken(tokenFile)) || (token ?? ''),
  };
};

/** Empty where there is no token yet. */
const readToken = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};

/** Whether a terminal of this environment can write over a line. */
export const canMoveCursor = (environment: Environment = process.env): boolean =>
  environment['TERM'] !== 'dumb';
