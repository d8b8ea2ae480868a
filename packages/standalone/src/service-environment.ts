import { appUrl } from '@commonplace/migrations/app-url';
import { compileCache } from './compile-cache.ts';
import type { Secrets } from './load-secrets.ts';
import type { ServiceName } from './service-names.ts';

/** What the environments of all processes are made from. */
export type Wiring = {
  readonly mode: string;
  readonly secrets: Secrets;
  /** Variables of the contract that were set, by name. */
  readonly given: Readonly<Record<string, string>>;
};

/** Where one process listens, and where it finds the others. */
export type Addresses = {
  /** The first gateway's is 0, the others count on, in the order of their ports. */
  readonly processNo: number;
  readonly host: string;
  readonly port: number;
  readonly urls: Readonly<Record<ServiceName, string>>;
};

type Needs = {
  readonly given: readonly string[];
  readonly secrets: readonly (keyof Secrets)[];
  readonly urls: readonly ServiceName[];
};

/** How a service reaches the database, but for its URL. */
const databaseSettings = [
  'DATABASE_CONNECTIONS_MAX',
  'DATABASE_NAMED_STATEMENTS',
  'DATABASE_CITUS',
] as const;

/** Each process gets what it needs and no more: a secret it does not have, it cannot leak. */
const needsOf: Readonly<Record<ServiceName, Needs>> = {
  auth: {
    given: [
      'BOOTSTRAP_OPERATOR_EMAIL',
      'BOOTSTRAP_OPERATOR_PASSWORD',
      'ACCEPT_CONFIGURATION',
      ...databaseSettings,
    ],
    secrets: ['SESSION_SECRETS', 'PASSWORD_PEPPERS', 'RUN_TOKEN_SECRETS'],
    urls: ['agents', 'gateway'],
  },
  agents: {
    given: [
      'RUN_TOKEN_TTL_SECONDS',
      'RUNNING_RUNS_PER_AGENT',
      'ACCEPT_CONFIGURATION',
      ...databaseSettings,
    ],
    secrets: ['API_KEY_PEPPERS'],
    urls: ['auth', 'gateway'],
  },
  notes: {
    given: [
      'TOMBSTONE_DAYS',
      'MUTATION_DAYS',
      'REVISION_DAYS',
      'LARGE_BODY_MIB_MAX',
      ...databaseSettings,
    ],
    secrets: [],
    urls: ['agents'],
  },
  gateway: {
    given: [
      'TRUST_PROXY',
      'CORS_ORIGINS',
      'RATE_LIMIT_PER_SECOND',
      'CONNECTIONS_PER_ADDRESS',
      'STREAMS_PER_CREDENTIAL',
      'STREAMS_PER_COMPANY',
      'BODY_MIB_MAX',
      'BODY_MIB_PER_CREDENTIAL',
      'BODY_MIB_PER_ADDRESS',
      'CONSOLE_DIR',
    ],
    secrets: ['SESSION_SECRETS', 'RUN_TOKEN_SECRETS', 'API_KEY_PEPPERS'],
    urls: ['auth', 'agents', 'notes'],
  },
};

/** Not ours to set, but without them Node may not find certificates, or on Windows not even start. */
const systemVariables = ['NODE_EXTRA_CA_CERTS', 'SystemRoot'];

/** The environment of one process, but for `databaseEnvironment`. */
export const serviceEnvironment = (
  name: ServiceName,
  wiring: Wiring,
  addresses: Addresses,
): Record<string, string> => {
  const needs = needsOf[name];
  return {
    ...processEnvironment(),
    ...pick(wiring.given, ['LOG_LEVEL', 'PUBLIC_URL', ...needs.given]),
    ...pick(wiring.secrets, ['INTERNAL_IDENTITY_SECRETS', ...needs.secrets]),
    ...Object.fromEntries(
      needs.urls.map((other) => [`${other.toUpperCase()}_URL`, addresses.urls[other]]),
    ),
    DEPLOYMENT_MODE: wiring.mode,
    HOST: addresses.host,
    PORT: String(addresses.port),
  };
};

/** What every process of Node's is started with. The cache spares it the stripping of types. */
export const processEnvironment = (): Record<string, string> => ({
  ...pick(process.env, systemVariables),
  NODE_COMPILE_CACHE: compileCache(),
});

/** What a process is told when the database is ready; only then it is known where that is. */
export const databaseEnvironment = (
  name: ServiceName,
  databaseUrl: string,
  secrets: Secrets,
): Record<string, string> => {
  if (name === 'gateway') {
    return {};
  }
  const passwords = {
    auth: secrets.AUTH_DATABASE_PASSWORD,
    agents: secrets.AGENTS_DATABASE_PASSWORD,
    notes: secrets.NOTES_DATABASE_PASSWORD,
  };
  return { DATABASE_URL: appUrl(databaseUrl, name, passwords[name]) };
};

/** The gateway serves its metrics at METRICS_PORT, the others at the ports after it. */
export const metricsEnvironment = (
  given: Wiring['given'],
  processNo: number,
): Readonly<Record<string, string>> => {
  const { METRICS_PORT: port, METRICS_HOST: host } = given;
  return port === undefined
    ? {}
    : {
        METRICS_PORT: String(Number(port) + processNo),
        ...(host === undefined ? {} : { METRICS_HOST: host }),
      };
};

const pick = (
  from: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
