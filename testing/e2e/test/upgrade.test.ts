import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { checkOutPrevious } from '../src/previous-release.ts';
import { firstMigration, needles } from '../src/upgrade/fill-company.ts';
import { runUpgrade } from '../src/upgrade/run-upgrade.ts';

/** `pnpm drill:upgrade` does the same with a million notes. */
const notes = 3_000;

it('an upgrade while clients write loses nothing, and search finds every exact word before the backfill is done', async () => {
  const previous = await checkOutPrevious([firstMigration]);
  if ('why' in previous) {
    process.stderr.write(`The upgrade could not be tried: ${previous.why}.\n`);
    return;
  }
  try {
    const { acknowledged, problems, progress } = await runUpgrade({
      previousServices: join(previous.folder, 'services'),
      notes,
      writers: 4,
      quietSeconds: 1,
      pollMs: 50,
      backfillSecondsMax: 120,
      fsync: false,
      log: () => undefined,
    });
    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect(progress.map(({ found }) => found.exact)).toEqual(progress.map(() => needles));
    const last = progress.at(-1);
    expect(last).toMatchObject({ searchChanges: 0, catalogChanges: 0, hasAllFolders: true });
    expect(last?.found.otherForm).toBe(needles);
  } finally {
    await previous.remove();
  }
}, 300_000);
