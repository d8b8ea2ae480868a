import type { ClientOptions } from './client-state.ts';
import { causeFaults } from './faults.ts';
import { startWorkload } from './workload.ts';
import { createHistory, type History } from './history.ts';
import { createRandom } from './random.ts';
import type { SeededBug } from './seeded-bug.ts';
import { startEnvironment, type CheckedEnvironment, type OpenDatabase } from './environment.ts';

/** Duration and load of a run. */
export type CheckOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly companies: 1 | 2;
  readonly clientsPerCompany: number;
  readonly mix: ClientOptions['mix'];
  readonly hasFaults: boolean;
  /** The bug to seed; null means none. */
  readonly bug: SeededBug | null;
  /** Ends the run at the first violation, to detect a seeded bug. */
  readonly stopsEarly: boolean;
  /** Default: a PostgreSQL of its own. */
  readonly openDatabase?: OpenDatabase | undefined;
  /** Ends the run when it settles, before its seconds are over. */
  readonly until?: Promise<unknown>;
};

/** Runs clients, observers, subscribers and faults against the real system, then verifies its state. */
export const runCheck = async (options: CheckOptions): Promise<History> => {
  const history = createHistory();
  const environment = await startEnvironment(options.bug, options.openDatabase);
  try {
    await runInEnvironment(environment, options, history);
  } finally {
    await environment.stop();
  }
  return history;
};

const runInEnvironment = async (
  environment: CheckedEnvironment,
  options: CheckOptions,
  history: History,
): Promise<void> => {
  const random = createRandom(options.seed);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), options.seconds * 1_000);
  options.until?.then(
    () => ending.abort(),
    () => ending.abort(),
  );
  const watch = setInterval(() => {
    if (options.stopsEarly && history.violations().length > 0) {
      ending.abort();
    }
  }, 100);
  const faults = options.hasFaults
    ? causeFaults({ environment, history, random: random.fork('faults') }, ending.signal)
    : Promise.resolve();
  const workloads = environment.companies.slice(0, options.companies).map((company, index) =>
    startWorkload(company, {
      name: `c${index}`,
      clients: options.clientsPerCompany,
      mix: options.mix,
      random,
      history,
      signal: ending.signal,
    }),
  );
  await Promise.all([faults, ...workloads.map(({ ended }) => ended)]);
  clearTimeout(timer);
  clearInterval(watch);
  if (!(options.stopsEarly && history.violations().length > 0)) {
    await Promise.all(workloads.map((workload) => workload.verify(environment)));
  }
  await Promise.all(workloads.map((workload) => workload.stop()));
};
