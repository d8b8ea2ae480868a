import { repositoryServices } from '@commonplace/migrations/repository-services';
import { compileCache, fillCompileCache, isCompileCacheFilled } from './compile-cache.ts';
import { makeDataDirectory } from './data-directory.ts';
import { metricsPorts } from './environment.ts';
import { supervisePostgres } from './supervise-postgres.ts';
import { loadSecrets } from './load-secrets.ts';
import type { Secrets } from './load-secrets.ts';
import { hasStaleLock, lockDataDirectory } from './lock-data-directory.ts';
import { planProcesses } from './plan-processes.ts';
import { prepareBuilds } from './prepare-builds.ts';
import { assertPortIsFree } from './ports.ts';
import { runMigrations } from './run-migrations.ts';
import { processEnvironment } from './service-environment.ts';
import { startServices } from './start-services.ts';
import type { ManagedProcess } from './start-services.ts';
import type { RunningSystem, SystemOptions } from './system-options.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** What runs so far; `stops` undo the steps, the last one first. */
type Progress = { readonly processes: ManagedProcess[]; readonly stops: (() => Promise<void>)[] };

type StartOptions = SystemOptions & Required<Pick<SystemOptions, 'host' | 'port' | 'log'>>;

/** The gateway of a killed supervisor finishes its requests before it releases its port. */
const drainSecondsMax = 20;

/**
 * Starts everything on this machine and resolves when `/readyz` of the gateway returns 200. If a step
 * fails, everything that was started is stopped.
 */
export const startSystem = async (options: SystemOptions): Promise<RunningSystem> => {
  const { host = '127.0.0.1', port = 0, log = () => undefined } = options;
  if (port !== 0) {
    const waitSeconds = (await hasStaleLock(options.dataDir)) ? drainSecondsMax : 0;
    await assertPortIsFree({ host, port, waitSeconds });
  }
  await assertMetricsPortsAreFree(options.env ?? {});
  const dataDir = await makeDataDirectory(options.dataDir);
  const processes: ManagedProcess[] = [];
  const stops = [await lockDataDirectory(dataDir)];
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopInReverse(stops));
  try {
    const urls = await startProcesses(
      { ...options, dataDir, host, port, log },
      { processes, stops },
    );
    return {
      ...urls,
      stop,
      get processes() {
        return processes.map(({ name, port, supervised }) => ({
          name,
          port,
          pid: supervised.pid(),
        }));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Each process serves its metrics on its own port; the gateway has the first. */
const assertMetricsPortsAreFree = async ({
  METRICS_PORT,
  METRICS_HOST = '127.0.0.1',
}: Readonly<Record<string, string>>): Promise<void> => {
  if (METRICS_PORT === undefined) {
    return;
  }
  for (let offset = 0; offset < metricsPorts; offset += 1) {
    const port = Number(METRICS_PORT) + offset;
    await assertPortIsFree({ setting: 'METRICS_PORT', host: METRICS_HOST, port, waitSeconds: 0 });
  }
};

const startProcesses = async (
  options: StartOptions,
  progress: Progress,
): Promise<Pick<RunningSystem, 'baseUrl' | 'databaseUrl'>> => {
  const { dataDir, signal, log, env: given = {}, mode = 'local_trusted' } = options;
  const servicesDir = options.servicesDir ?? repositoryServices;
  const compiled = { cache: compileCache(), servicesDir, signal };
  const cacheFilled = (await isCompileCacheFilled(compiled))
    ? undefined
    : fillCompileCache(compiled);
  const secrets = await loadSecrets(dataDir, given);
  const plan = await planProcesses({ ...options, replicas: options.replicas ?? {} });
  // Only the database can fail here, so nothing is left running when it does.
  const [databaseUrl] = await Promise.all([
    prepareDatabase({ options, progress, secrets, servicesDir }),
    // The gateway reads the console and the packages once, at its start.
    options.buildsServedFiles ? prepareBuilds({ log, signal }) : undefined,
    // Otherwise four processes would each compile the same files, which takes longer.
    cacheFilled,
  ]);
  log('Starting the services and the gateway');
  const wiring = { mode, secrets, databaseUrl, given };
  const { processes, problem } = await startServices({ options, servicesDir, plan, wiring });
  addServices(progress, processes);
  if (problem !== null) {
    throw problem;
  }
  const baseUrl = plan.find(({ name }) => name === 'gateway')?.addresses.urls.gateway ?? '';
  await waitUntilReady(baseUrl, signal);
  return { baseUrl, databaseUrl };
};

type DatabaseStart = {
  readonly options: StartOptions;
  readonly progress: Progress;
  readonly secrets: Secrets;
  readonly servicesDir: string;
};

/** Resolves with the administrator's URL when the database runs and is migrated. */
const prepareDatabase = async (start: DatabaseStart): Promise<string> => {
  const { options, progress, secrets, servicesDir } = start;
  const { dataDir, fsync = true, log, signal } = options;
  let adminUrl = options.databaseUrl;
  if (adminUrl === undefined) {
    log('Starting PostgreSQL');
    const { supervised, url, port } = await supervisePostgres({ dataDir, fsync, log, signal });
    progress.processes.push({ name: 'postgres', port, supervised });
    progress.stops.push(supervised.stop);
    adminUrl = url;
  }
  signal?.throwIfAborted();
  log('Migrating the database');
  const env = processEnvironment();
  await runMigrations({ adminUrl, secrets, servicesDir, env, log, signal });
  return adminUrl;
};

/** Gateways stop first, so that the services can finish the requests they have accepted. */
const addServices = (progress: Progress, processes: readonly ManagedProcess[]): void => {
  const stopThose = (wanted: (one: ManagedProcess) => boolean) => async () => {
    await Promise.all(processes.filter(wanted).map(({ supervised }) => supervised.stop()));
  };
  progress.processes.push(...processes);
  progress.stops.push(
    stopThose(({ name }) => name !== 'gateway'),
    stopThose(({ name }) => name === 'gateway'),
  );
};

/** Continues after a failed step, so that as little as possible keeps running, and throws at the end. */
const stopInReverse = async (stops: Progress['stops']): Promise<void> => {
  const problems: unknown[] = [];
  for (const stop of stops.toReversed()) {
    await stop().catch((error: unknown) => problems.push(error));
  }
  if (problems.length > 0) {
    throw new AggregateError(problems, 'Not everything could be stopped.');
  }
};
