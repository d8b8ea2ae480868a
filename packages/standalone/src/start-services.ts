import { join } from 'node:path';
import { currentBundle } from '@commonplace/service-bundle';
import { supervise } from './supervise.ts';
import type { SupervisedProcess } from './supervise.ts';
import { launchService } from './launch-service.ts';
import type { PlannedProcess } from './plan-processes.ts';
import { metricsEnvironment, serviceEnvironment } from './service-environment.ts';
import type { Wiring } from './service-environment.ts';
import type { SystemOptions, SystemProcess } from './system-options.ts';

/** One supervised process. */
export type ManagedProcess = {
  readonly name: SystemProcess['name'];
  readonly port: number;
  readonly supervised: SupervisedProcess;
};

type ServicesToStart = {
  readonly options: SystemOptions;
  readonly servicesDir: string;
  readonly plan: readonly PlannedProcess[];
  readonly wiring: Wiring;
};

/**
 * Starts all processes at once. Returns those that are ready, and the problem of those that failed: the caller has
 * to stop the others.
 */
export const startServices = async (
  start: ServicesToStart,
): Promise<{ readonly processes: readonly ManagedProcess[]; readonly problem: Error | null }> => {
  const starts = await Promise.allSettled(start.plan.map((planned) => keepService(start, planned)));
  const failures = starts
    .filter((each) => each.status === 'rejected')
    .map(({ reason }) => reason as Error);
  const processes = starts.filter((each) => each.status === 'fulfilled').map((each) => each.value);
  return { processes, problem: problemOf(failures) };
};

/** One error with all messages, so that all problems can be fixed before the next start. */
const problemOf = (failures: readonly Error[]): Error | null => {
  const [first = null, ...others] = failures;
  return others.length === 0
    ? first
    : new Error([...new Set(failures.map(({ message }) => message))].join('\n'), { cause: first });
};

const keepService = async (
  { options, servicesDir, wiring }: ServicesToStart,
  { name, addresses }: PlannedProcess,
): Promise<ManagedProcess> => {
  const { output, onSetupLink, log = () => undefined, signal } = options;
  const serviceDir = join(servicesDir, name);
  const env = {
    ...serviceEnvironment(name, wiring, addresses),
    ...metricsEnvironment(wiring.given, addresses.processNo),
    ...options.serviceEnv?.[name],
  };
  const launch = async (stopping: AbortSignal) => {
    const bundle = options.runFromSources?.includes(name) ? null : await currentBundle(serviceDir);
    const entry = bundle ?? join(serviceDir, 'src', 'main.ts');
    return launchService({ entry, env, output, onSetupLink, signal: stopping });
  };
  const supervised = await supervise({ name, launch, log, signal, startAttempts: 3 });
  return { name, port: addresses.port, supervised };
};
