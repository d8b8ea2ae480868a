import { causeFaults } from './faults.ts';
import { startGroup } from './group.ts';
import { createHistory, type History } from './history.ts';
import { createRandom } from './random.ts';
import type { SeededBug } from './seeded-bugs.ts';
import { startWorld, type CheckedWorld } from './world.ts';

/** How long and how hard a run is. */
export type CheckOptions = {
  readonly seed: number;
  readonly seconds: number;
  readonly clientsPerCompany: number;
  readonly hasFaults: boolean;
  /** The bug that the service is given; null: it is as it is. */
  readonly bug: SeededBug | null;
  /** Ends the run at the first violation: enough to have caught a bug. */
  readonly stopsEarly: boolean;
};

/** Runs clients, observers, followers and faults against the real system, then judges what is left. */
export const runCheck = async (options: CheckOptions): Promise<History> => {
  const history = createHistory();
  const world = await startWorld(options.bug);
  try {
    await runWorld(world, options, history);
  } finally {
    await world.stop();
  }
  return history;
};

const runWorld = async (
  world: CheckedWorld,
  options: CheckOptions,
  history: History,
): Promise<void> => {
  const random = createRandom(options.seed);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), options.seconds * 1_000);
  const watch = setInterval(() => {
    if (options.stopsEarly && history.violations().length > 0) {
      ending.abort();
    }
  }, 100);
  const faults = options.hasFaults
    ? causeFaults({ world, history, random: random.fork('faults') }, ending.signal)
    : Promise.resolve();
  const groups = world.companies.map((company, index) =>
    startGroup(company, {
      name: `c${index}`,
      clients: options.clientsPerCompany,
      random,
      history,
      signal: ending.signal,
    }),
  );
  await Promise.all([faults, ...groups.map(({ ended }) => ended)]);
  clearTimeout(timer);
  clearInterval(watch);
  if (!(options.stopsEarly && history.violations().length > 0)) {
    await Promise.all(groups.map((group) => group.judge(world)));
  }
  await Promise.all(groups.map((group) => group.stop()));
};
