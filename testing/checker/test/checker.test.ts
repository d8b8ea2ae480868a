import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import { createTestDatabase, isCitusRun, testPasswordVariables } from '@commonplace/testkit';
import type { Scenario } from '../src/scenario.ts';
import { scenarios } from '../src/scenarios.ts';
import { createHistory, type History } from '../src/history.ts';
import { runCheck, type CheckOptions } from '../src/run-check.ts';
import type { SeededBug } from '../src/seeded-bug.ts';
import { seededBugs } from '../src/seeded-bugs.ts';
import { startEnvironment, type OpenDatabase } from '../src/environment.ts';

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

const drill = async (bug: SeededBug | null, ways: readonly Scenario[]): Promise<History> => {
  const history = createHistory();
  const environment = await startEnvironment(bug, openDatabase);
  try {
    for (const each of ways) {
      await each({ environment, company: await environment.company('Scenario'), history });
    }
  } finally {
    await environment.stop();
  }
  return history;
};

const describeOfOneNode = describeUnlessOnCitus('the object would be on the coordinator only');

const bugsOf = (isWanted: (bug: SeededBug) => boolean) =>
  seededBugs.filter(isWanted).map((bug) => [bug.name, bug.invariant, bug] as const);

const expectCaught = async (_: string, invariant: string, bug: SeededBug): Promise<void> => {
  const violations = (await drill(bug, [scenarios[bug.name] as Scenario])).violations();
  expect(violations.map((each) => each.invariant)).toContain(invariant);
  // A 500 would mean that the seeded bug itself is broken.
  expect(violations.filter(({ detail }) => / 500\b/.test(detail))).toEqual([]);
};

describe('the checker', () => {
  it('finds no violation in any scenario of a service without a bug', async () => {
    const all = [...new Set(Object.values(scenarios))];
    expect((await drill(null, all)).violations()).toEqual([]);
  }, 300_000);

  it.each(bugsOf((bug) => bug.prepare === undefined))(
    'catches %s: %s',
    async (...bug) => expectCaught(...bug),
    300_000,
  );
});

describeOfOneNode('the checker, with bugs that need an object of the database', () => {
  it.each(bugsOf((bug) => bug.prepare !== undefined))(
    'catches %s: %s',
    async (...bug) => expectCaught(...bug),
    300_000,
  );
});
