import { parseArgs } from 'node:util';
import { runStep } from './check/run-step.ts';
import { steps } from './check/steps.ts';
import type { Step, StepResult } from './check/step.ts';
import { writeApiTypes } from './packages/write-api-types.ts';

/*
 * `pnpm check` runs every check that needs no running system, two at a time, and prints one line
 * for each, followed by the output of a failed check.
 *
 *   pnpm check --only lint --only types     just these
 *   pnpm check --skip tools                 all except these
 */

/** More would compete for cores: most steps use several threads. */
const STEPS_AT_ONCE = 2;

const names = steps.map((step) => step.name);

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    skip: { type: 'string', multiple: true, default: [] },
  },
});

const unknown = [...options.only, ...options.skip].filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Known: ${names.join(', ')}.`);
  process.exit(2);
}

const chosen = steps.filter(
  ({ name }) =>
    (options.only.length === 0 || options.only.includes(name)) && !options.skip.includes(name),
);
// Types, lint and unused code read them.
await writeApiTypes();
const failures = await runAll(chosen);
if (failures.length > 0) {
  console.log(`\nchecks failed: ${failures.join(', ')}`);
  process.exitCode = 1;
}

/** Runs the steps in order, a few concurrently; returns the names of those that failed. */
async function runAll(queue: readonly Step[]): Promise<string[]> {
  const waiting = [...queue];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const result = await runStep(step);
      report(result);
      if (!result.hasPassed) {
        failed.push(result.name);
      }
    }
  };
  await Promise.all(Array.from({ length: STEPS_AT_ONCE }, work));
  return failed;
}

function report({ name, hasPassed, seconds, output }: StepResult): void {
  console.log(`${hasPassed ? '✓' : '✗'} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s`);
  if (!hasPassed) {
    console.log(output.trimEnd().replaceAll(/^/gm, '    '));
  }
}
