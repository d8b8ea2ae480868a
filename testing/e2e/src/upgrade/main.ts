import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOutPrevious } from '../previous-release.ts';
import { firstMigration } from './fill-company.ts';
import { runUpgrade, type Upgrade } from './run-upgrade.ts';

/*
 * pnpm drill:upgrade [--notes N] [--writers N] [--minutes N]
 */

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '1000000' },
    writers: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '60' },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

const report = ({ waits, migrationSeconds, progress, acknowledged, problems }: Upgrade): void => {
  print(`migration: ${migrationSeconds.toFixed(1)} s`);
  print(`backfill: ${(progress.at(-1)?.seconds ?? 0).toFixed(0)} s`);
  print(`longest searches while it ran: ${longest(progress.map((each) => each.requestMs))} ms`);
  print(`notes with acknowledged contents: ${acknowledged}`);
  print('writes                          number   median     99 %  longest (ms)');
  for (const [phase, all] of waits) {
    const sorted = all.toSorted((a, b) => a - b);
    const at = (part: number) => String(Math.round(sorted[Math.floor(sorted.length * part)] ?? 0));
    const figures = [String(all.length), at(0.5), at(0.99), String(longest(all))];
    print(`${phase.padEnd(30)} ${figures.map((each) => each.padStart(8)).join(' ')}`);
  }
  problems.slice(0, 20).forEach((problem) => print(`PROBLEM ${problem}`));
  print(problems.length === 0 ? 'nothing is lost' : `${problems.length} PROBLEMS`);
};

const longest = (all: readonly number[]): number =>
  Math.round(all.reduce((most, each) => Math.max(most, each), 0));

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort());
}
const previous = await checkOutPrevious([firstMigration]);
if ('why' in previous) {
  print(`The previous release cannot be checked out: ${previous.why}`);
  process.exitCode = 1;
} else {
  try {
    const upgrade = await runUpgrade({
      previousServices: join(previous.folder, 'services'),
      notes: Number(values.notes),
      writers: Number(values.writers),
      quietSeconds: 20,
      pollMs: 10_000,
      backfillSecondsMax: Number(values.minutes) * 60,
      fsync: true,
      log: print,
      signal: stop.signal,
    });
    report(upgrade);
    process.exitCode = upgrade.problems.length === 0 ? 0 : 1;
  } finally {
    await previous.remove();
  }
}
