import { embeddingsFields, tracingFields } from '@commonplace/config';
import { mallocEnvironment } from '@commonplace/embedded-postgres';
import { appUrl } from '@commonplace/migrations/app-url';
import { compileCache } from './compile-cache.ts';
import type { Secrets } from './load-secrets.ts';
import type { ServiceName } from './service-names.ts';

/** The inputs of all environments. */
export type Wiring = {
  readonly mode: string;
  readonly secrets: Secrets;
  /** The administrator's URL of the database. */
  readonly databaseUrl: string;
  /** Variables of the contract that were set, by name. */
  readonly given: Readonly<Record<string, string>>;
};

/** The address of one process, and the URLs of the others. */
export type Addresses = {
  /** 0 for the first gateway, then counting up in the order of the ports. */
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

/** The database settings, except for the URL. */
const databaseSettings = [
  'DATABASE_CONNECTIONS_MAX',
  'DATABASE_NAMED_STATEMENTS',
  'DATABASE_CITUS',
] as const;

const embeddingsSettings = Object.keys(embeddingsFields);

const tracingSettings = Object.keys(tracingFields);

/** Each process gets only what it needs: it cannot leak a secret that it does not have. */
const needsOf: Readonly<Record<ServiceName, Needs>> = {
  auth: {
    given: [
      'BOOTSTRAP_OPERATOR_EMAIL',
      'BOOTSTRAP_OPERATOR_PASSWORD',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_NAME',
      'OIDC_SCOPES',
      'OIDC_ALLOWED_DOMAINS',
      'LOCAL_LOGIN',
      'REQUIRE_SECOND_FACTOR',
      'OIDC_REQUIRE_AMR',
      'OAUTH_REGISTRATION',
      'OAUTH_CLIENT_DOCUMENTS',
      'OAUTH_CLIENT_HOSTS',
      'OAUTH_AT_MCP',
      'ACCEPT_CONFIGURATION',
      ...databaseSettings,
    ],
    secrets: ['SESSION_SECRETS', 'PASSWORD_PEPPERS', 'RUN_TOKEN_SECRETS', 'SECOND_FACTOR_SECRETS'],
    urls: ['agents', 'notes', 'gateway'],
  },
  agents: {
    given: [
      'RUN_TOKEN_TTL_SECONDS',
      'RUNNING_RUNS_PER_AGENT',
      'AGENTS_PER_COMPANY',
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
      ...embeddingsSettings,
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
      'BODY_MIB_PER_COMPANY',
      'BODY_MIB_PER_CREDENTIAL',
      'BODY_MIB_PER_ADDRESS',
      'OAUTH_AT_MCP',
      'CONSOLE_DIR',
    ],
    secrets: ['SESSION_SECRETS', 'RUN_TOKEN_SECRETS', 'API_KEY_PEPPERS'],
    urls: ['auth', 'agents', 'notes', 'gateway'],
  },
};

/** Variables of the system: without them Node may not find certificates, or not start on Windows. */
const systemVariables = ['NODE_EXTRA_CA_CERTS', 'SystemRoot'];

/** The environment of one process. */
export const serviceEnvironment = (
  name: ServiceName,
  wiring: Wiring,
  addresses: Addresses,
): Record<string, string> => {
  const needs = needsOf[name];
  return {
    ...processEnvironment(),
    ...pick(wiring.given, ['LOG_LEVEL', 'PUBLIC_URL', ...tracingSettings, ...needs.given]),
    ...pick(wiring.secrets, ['INTERNAL_IDENTITY_SECRETS', ...needs.secrets]),
    ...Object.fromEntries(
      needs.urls.map((other) => [`${other.toUpperCase()}_URL`, addresses.urls[other]]),
    ),
    ...databaseEnvironment(name, wiring),
    DEPLOYMENT_MODE: wiring.mode,
    HOST: addresses.host,
    PORT: String(addresses.port),
  };
};

/** The environment of every Node process. With the compile cache it does not strip types again, and memory is returned. */
export const processEnvironment = (): Record<string, string> => ({
  ...pick(process.env, systemVariables),
  NODE_COMPILE_CACHE: compileCache(),
  ...mallocEnvironment,
});

/** The environment of the tools that build what the gateway serves: they run programs and read a user's settings. */
export const toolEnvironment = (): Record<string, string> => ({
  ...processEnvironment(),
  ...pick(process.env, ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'npm_execpath', 'npm_config_registry']),
});

/** The gateway has no access to the database. */
const databaseEnvironment = (
  name: ServiceName,
  { databaseUrl, secrets }: Wiring,
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
