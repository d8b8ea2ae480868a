import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import { createTestDatabase, isCitusRun, testPasswordVariables } from '@commonplace/testkit';
import type { Scenario } from '../src/scenario.ts';
import { scenarios } from '../src/scenarios.ts';
import { createHistory, type History } from '../src/history.ts';
import { runCheck, type CheckOptions } from '../src/run-check.ts';
import type { SeededBug } from '../src/seeded-bug.ts';
import { seededBugs } from '../src/seeded-bugs.ts';
import {
  startEnvironment,
  type CheckedEnvironment,
  type OpenDatabase,
} from '../src/environment.ts';

const seed = Number(process.env['CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
process.stderr.write(`The seed of the sync checker is ${seed} (CHECK_SEED=${seed} repeats it)\n`);

/** A database of the test run's server, which no fault kills. */
const openDatabase: OpenDatabase = async () => {
  const { adminUrl, isCitus, drop } = await createTestDatabase();
  const env = { ...(isCitus ? { DATABASE_CITUS: 'on' } : {}), ...testPasswordVariables };
  return { url: adminUrl, env, drop };
};

const check = async (
  options: Pick<CheckOptions, 'seconds' | 'companies' | 'clientsPerCompany' | 'mix'>,
): Promise<History> => {
  const history = await runCheck({
    ...options,
    seed,
    hasFaults: true,
    bug: null,
    stopsEarly: false,
    // Outside Citus, a PostgreSQL of its own that is killed too.
    openDatabase: isCitusRun() ? openDatabase : undefined,
  });
  if (history.violations().length > 0) {
    await history.write(join(tmpdir(), `sync-check-${seed}.log`));
    process.stderr.write(`${history.report().join('\n')}\n`);
  }
  process.stderr.write(`${JSON.stringify(history.figures())}\n`);
  return history;
};

describe('synchronisation', () => {
  it('violates no invariant while processes are killed and PostgreSQL restarts', async () => {
    const seconds = Number(process.env['CHECK_SECONDS'] ?? 30);
    const history = await check({ seconds, companies: 2, clientsPerCompany: 8, mix: 'all' });
    expect(history.violations()).toEqual([]);
    expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
  }, 300_000);
});

describe('edits', () => {
  it('of 32 clients in the same notes are neither lost nor applied twice while processes are killed', async () => {
    const seconds = Number(process.env['CHECK_SECONDS'] ?? 20);
    const history = await check({ seconds, companies: 1, clientsPerCompany: 32, mix: 'edits' });
    expect(history.violations()).toEqual([]);
    expect(history.figures()['PATCHes applied']).toBeGreaterThan(0);
    expect(history.figures()['logs opened']).toBeGreaterThan(0);
  }, 300_000);
});

const describeOfOneNode = describeUnlessOnCitus('the object would be on the coordinator only');

describe('the checker', () => {
  it('finds no violation in any scenario of a service without a bug', async () => {
    const environment = await startEnvironment(null, openDatabase);
    try {
      const all = [...new Set(Object.values(scenarios))];
      expect((await drill(environment, all)).violations()).toEqual([]);
    } finally {
      await environment.stop();
    }
  }, 300_000);
});

const drill = async (
  environment: CheckedEnvironment,
  ways: readonly Scenario[],
): Promise<History> => {
  const history = createHistory();
  for (const each of ways) {
    await each({ environment, company: await environment.company('Scenario'), history });
  }
  return history;
};

/** A killed process starts again after a pause that doubles: many bugs in one system would wait long. */
const bugsOfSystem = 4;

/** So many bugs at a time, because a system takes longer to start than a scenario to run. */
const inSystems = (bugs: readonly SeededBug[]): (readonly SeededBug[])[] =>
  bugs.length === 0 ? [] : [bugs.slice(0, bugsOfSystem), ...inSystems(bugs.slice(bugsOfSystem))];

/** Tries the bugs one after another, each in notes processes and in a company of its own. */
const expectCaught = (bugs: readonly SeededBug[]): void => {
  let environment: CheckedEnvironment;
  let running: SeededBug | undefined;
  beforeAll(async () => {
    [running] = bugs;
    environment = await startEnvironment(running ?? null, openDatabase);
  }, 300_000);
  afterAll(() => environment.stop(), 300_000);

  it.each(bugs.map((bug) => [bug.name, bug.invariant, bug] as const))(
    'catches %s: %s',
    async (name, invariant, bug) => {
      if (running !== bug) {
        running = bug;
        await environment.seed(bug);
      }
      const violations = (await drill(environment, [scenarios[name] as Scenario])).violations();
      expect(violations.map((each) => each.invariant)).toContain(invariant);
      // A 500 would mean that the seeded bug itself is broken.
      expect(violations.filter(({ detail }) => / 500\b/.test(detail))).toEqual([]);
    },
    300_000,
  );
};

describe.each(
  inSystems(seededBugs.filter(({ prepare }) => prepare === undefined)).map((bugs) => ({ bugs })),
)('the checker', ({ bugs }) => {
  expectCaught(bugs);
});

describeOfOneNode('the checker, with bugs that need an object of the database', () => {
  expectCaught(seededBugs.filter(({ prepare }) => prepare !== undefined));
});
