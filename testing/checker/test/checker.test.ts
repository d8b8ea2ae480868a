import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { drills, type Drill } from '../src/drills.ts';
import { createHistory, type History } from '../src/history.ts';
import { runCheck } from '../src/run-check.ts';
import { seededBugs, type SeededBug } from '../src/seeded-bugs.ts';
import { startWorld } from '../src/world.ts';

const seed = Number(process.env['CHECK_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
process.stderr.write(`The seed of the sync checker is ${seed} (CHECK_SEED=${seed} repeats it)\n`);

describe('synchronisation', () => {
  it('keeps every promise while processes are killed and PostgreSQL restarts', async () => {
    const history = await runCheck({
      seed,
      seconds: Number(process.env['CHECK_SECONDS'] ?? 30),
      clientsPerCompany: 8,
      hasFaults: true,
      bug: null,
      stopsEarly: false,
    });
    if (history.violations().length > 0) {
      await history.write(join(tmpdir(), `sync-check-${seed}.log`));
      process.stderr.write(`${history.report().join('\n')}\n`);
    }
    process.stderr.write(`${JSON.stringify(history.figures())}\n`);
    expect(history.violations()).toEqual([]);
    expect(history.figures()['acknowledged edits']).toBeGreaterThan(0);
  }, 300_000);
});

const drill = async (bug: SeededBug | null, ways: readonly Drill[]): Promise<History> => {
  const history = createHistory();
  const world = await startWorld(bug);
  try {
    for (const each of ways) {
      await each({ world, company: await world.company('Drill'), history });
    }
  } finally {
    await world.stop();
  }
  return history;
};

describe('the checker', () => {
  it('finds nothing wrong with a service that has no bug, however it is drilled', async () => {
    const all = [...new Set(Object.values(drills))];
    expect((await drill(null, all)).violations()).toEqual([]);
  }, 300_000);

  it.each(seededBugs.map((bug) => [bug.name, bug.invariant, bug] as const))(
    'catches %s: %s',
    async (_, invariant, bug) => {
      const violations = (await drill(bug, [drills[bug.name] as Drill])).violations();
      expect(violations.map((each) => each.invariant)).toContain(invariant);
      // An answer of 500 would mean that the bug is broken itself.
      expect(violations.filter(({ detail }) => / 500\b/.test(detail))).toEqual([]);
    },
    300_000,
  );
});
