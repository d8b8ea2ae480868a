import { join } from 'node:path';
import { makeDataDirectory } from './data-directory.ts';
import { keepRunning } from './keep-running.ts';
import type { Kept } from './keep-running.ts';
import { keepPostgres } from './launch-postgres.ts';
import { launchService } from './launch-service.ts';
import { loadSecrets } from './load-secrets.ts';
import type { Secrets } from './load-secrets.ts';
import { hasStaleLock, lockDataDirectory } from './lock-data-directory.ts';
import { planProcesses } from './plan-processes.ts';
import type { PlannedProcess } from './plan-processes.ts';
import { assertPortIsFree } from './ports.ts';
import { runMigrations } from './run-migrations.ts';
import { processEnvironment, serviceEnvironment } from './service-environment.ts';
import type { Wiring } from './service-environment.ts';
import type { ServiceName } from './service-names.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** What may be chosen about a system. Only the data directory must be. */
export type SystemOptions = {
  readonly dataDir: string;
  /** Where the gateway listens; default 127.0.0.1. */
  readonly host?: string;
  /** The gateway's port; default 0, a free one. */
  readonly port?: number;
  readonly mode?: 'local_trusted' | 'authenticated';
  /** An existing PostgreSQL; default: the embedded one, in the data directory. */
  readonly databaseUrl?: string;
  /** Further variables of the contract by name, secrets among them. */
  readonly env?: Readonly<Record<string, string>>;
  /** More variables for the processes of single services. */
  readonly serviceEnv?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;
  /** How many processes of each service; default 1. */
  readonly replicas?: Readonly<Partial<Record<ServiceName, number>>>;
  /** Where the services' folders are; default: those of this repository. */
  readonly servicesDir?: string;
  /** False gives up durability of the embedded PostgreSQL for speed: for tests only. */
  readonly fsync?: boolean;
  /** Gets one line for each thing that happens. */
  readonly log?: (line: string) => void;
  /** Gets what the services write; default: standard error. */
  readonly output?: (text: string) => void;
  /** Gets the one-time link with which the first operator is made. */
  readonly onSetupLink?: (url: string) => void;
  /** Gives up the start and takes down what runs already. */
  readonly signal?: AbortSignal;
};

/** One process as it is now; a restart changes the `pid` (null meanwhile), never the port. */
export type SystemProcess = {
  readonly name: ServiceName | 'postgres';
  readonly pid: number | null;
  readonly port: number;
};

/** A system that is ready. */
export type RunningSystem = {
  /** The first gateway's URL. */
  readonly baseUrl: string;
  /** The administrator's URL of the database. */
  readonly databaseUrl: string;
  readonly processes: readonly SystemProcess[];
  /** Stops everything, gateway first, PostgreSQL last; may be called again. */
  readonly stop: () => Promise<void>;
};

type Stop = () => Promise<void>;
type Part = { readonly name: SystemProcess['name']; readonly port: number; readonly kept: Kept };

/** The gateway of a killed supervisor answers what it has begun before it gives its port back. */
const drainSecondsMax = 20;
const repositoryServices = join(import.meta.dirname, '../../../services');

/**
 * Starts everything on this machine and resolves when the gateway's `/readyz` answers 200. When a step
 * fails, all that the steps before have started is stopped again.
 */
export const startSystem = async (options: SystemOptions): Promise<RunningSystem> => {
  const { host = '127.0.0.1', port = 0 } = options;
  if (port !== 0) {
    const waitSeconds = (await hasStaleLock(options.dataDir)) ? drainSecondsMax : 0;
    await assertPortIsFree({ host, port, waitSeconds });
  }
  const dataDir = await makeDataDirectory(options.dataDir);
  const stops: Stop[] = [await lockDataDirectory(dataDir)];
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopInReverse(stops));
  try {
    const { parts, ...urls } = await startParts({ ...options, dataDir, host, port }, stops);
    return {
      ...urls,
      stop,
      get processes() {
        return parts.map(({ name, port, kept }) => ({ name, port, pid: kept.pid() }));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

type StartOptions = SystemOptions & { readonly host: string; readonly port: number };
type Started = Pick<RunningSystem, 'baseUrl' | 'databaseUrl'> & { readonly parts: readonly Part[] };

/** Every step leaves in `stops` how to undo it. */
const startParts = async (options: StartOptions, stops: Stop[]): Promise<Started> => {
  const { dataDir, signal, env: given = {}, mode = 'local_trusted' } = options;
  const parts: Part[] = [];
  const secrets = await loadSecrets(dataDir, given);
  const databaseUrl = options.databaseUrl ?? (await startDatabase(options, parts, stops));
  signal?.throwIfAborted();
  await migrate(options, databaseUrl, secrets);
  signal?.throwIfAborted();
  const plan = await planProcesses({ ...options, replicas: options.replicas ?? {} });
  const wiring = { dataDir, databaseUrl, mode, secrets, given };
  await startServices(options, { wiring, plan, parts, stops });
  const baseUrl = plan.find(({ name }) => name === 'gateway')?.addresses.urls.gateway ?? '';
  await waitUntilReady(baseUrl, signal);
  return { baseUrl, databaseUrl, parts };
};

const startDatabase = async (
  options: StartOptions,
  parts: Part[],
  stops: Stop[],
): Promise<string> => {
  const { dataDir, fsync = true, log = () => undefined, signal } = options;
  log('Starting PostgreSQL');
  const { kept, url, port } = await keepPostgres({ dataDir, fsync, log, signal });
  stops.push(kept.stop);
  parts.push({ name: 'postgres', port, kept });
  return url;
};

const migrate = async (
  options: StartOptions,
  adminUrl: string,
  secrets: Secrets,
): Promise<void> => {
  const { dataDir, log = () => undefined, servicesDir = repositoryServices } = options;
  log('Bringing the database up to date');
  const env = processEnvironment(dataDir);
  await runMigrations({ adminUrl, secrets, servicesDir, env, log });
};

type ServicesToStart = {
  readonly wiring: Wiring;
  readonly plan: readonly PlannedProcess[];
  readonly parts: Part[];
  readonly stops: Stop[];
};

/** All at once, for a quick start; those that did start are stopped when another could not. */
const startServices = async (
  options: StartOptions,
  { wiring, plan, parts, stops }: ServicesToStart,
): Promise<void> => {
  options.log?.('Starting the services and the gateway');
  const starts = await Promise.allSettled(
    plan.map((planned) => keepService(options, wiring, planned)),
  );
  const kept = starts.filter((start) => start.status === 'fulfilled').map((start) => start.value);
  parts.push(...kept);
  const services = kept.filter(({ name }) => name !== 'gateway');
  const gateways = kept.filter(({ name }) => name === 'gateway');
  stops.push(
    () => stopTogether(services),
    () => stopTogether(gateways),
  );
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
};

const keepService = async (
  options: StartOptions,
  wiring: Wiring,
  { name, addresses }: PlannedProcess,
): Promise<Part> => {
  const { servicesDir = repositoryServices, output, onSetupLink, log = () => undefined } = options;
  const entry = join(servicesDir, name, 'src', 'main.ts');
  const env = { ...serviceEnvironment(name, wiring, addresses), ...options.serviceEnv?.[name] };
  const launch = (signal: AbortSignal) =>
    launchService({ entry, env, output, onSetupLink, signal });
  const kept = await keepRunning({ name, launch, log, signal: options.signal });
  return { name, port: addresses.port, kept };
};

const stopTogether = async (parts: readonly Part[]): Promise<void> => {
  await Promise.all(parts.map(({ kept }) => kept.stop()));
};

const stopInReverse = async (stops: readonly Stop[]): Promise<void> => {
  for (const stop of stops.toReversed()) {
    await stop();
  }
};
