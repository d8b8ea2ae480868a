import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCheck } from '../src/run-check.ts';
import { seededBugs } from '../src/seeded-bugs.ts';

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

describe('the checker', () => {
  it.each(seededBugs.map((bug) => [bug.name, bug] as const))(
    'catches %s',
    async (_, bug) => {
      const history = await runCheck({
        seed,
        // It ends at the first violation; what only shows at the end needs no long run.
        seconds: 20,
        clientsPerCompany: 8,
        hasFaults: false,
        bug,
        stopsEarly: true,
      });
      expect(history.violations()).not.toEqual([]);
      // An answer of 500 would mean that the bug is broken itself.
      expect(history.violations().filter(({ detail }) => / 500\b/.test(detail))).toEqual([]);
    },
    180_000,
  );
});
