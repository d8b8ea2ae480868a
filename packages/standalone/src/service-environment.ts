import { settingsReadBy } from '@commonplace/config';
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

/** The services that each process calls, or names in links. */
const calledBy: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  auth: ['agents', 'notes', 'gateway'],
  agents: ['auth', 'gateway'],
  notes: ['agents'],
  gateway: ['auth', 'agents', 'notes', 'gateway'],
};

/** Variables of the system: without them Node may not find certificates, or not start on Windows. */
const systemVariables = ['NODE_EXTRA_CA_CERTS', 'SystemRoot'];

/** The environment of one process. It gets only the settings that it reads: it cannot leak a secret that it does not have. */
export const serviceEnvironment = (
  name: ServiceName,
  wiring: Wiring,
  addresses: Addresses,
): Record<string, string> => ({
  ...processEnvironment(),
  ...pick({ ...wiring.given, ...wiring.secrets }, settingsReadBy(name).filter(isNotOfMetrics)),
  ...(name === 'gateway' ? pick(wiring.given, ['CONSOLE_DIR']) : databaseUrlOf(name, wiring)),
  ...Object.fromEntries(
    calledBy[name].map((other) => [`${other.toUpperCase()}_URL`, addresses.urls[other]]),
  ),
  DEPLOYMENT_MODE: wiring.mode,
  HOST: addresses.host,
  PORT: String(addresses.port),
});

/** Each process has its own port for metrics. */
const isNotOfMetrics = (name: string): boolean => !name.startsWith('METRICS_');

/** The environment of every Node process. With the compile cache it does not strip types again, and memory is returned. */
export const processEnvironment = (): Record<string, string> => ({
  ...pick(process.env, systemVariables),
  NODE_COMPILE_CACHE: compileCache(),
  ...mallocEnvironment,
});

/** The environment of what builds the console. It runs once, and its tools would be a quarter of the compile cache. */
export const buildEnvironment = (): Record<string, string> => ({
  ...pick(process.env, systemVariables),
  ...mallocEnvironment,
});

/** As `buildEnvironment`, for tools that run programs and read a user's settings. */
export const toolEnvironment = (): Record<string, string> => ({
  ...buildEnvironment(),
  ...pick(process.env, ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'npm_execpath', 'npm_config_registry']),
});

/** The gateway has no access to the database. */
const databaseUrlOf = (
  name: Exclude<ServiceName, 'gateway'>,
  { databaseUrl, secrets }: Wiring,
): Record<string, string> => {
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
