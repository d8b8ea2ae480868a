import { parseArgs } from 'node:util';
import { runCheck } from './run-check.ts';
import { seededBugs } from './seeded-bugs.ts';

/*
 * pnpm check:sync [--minutes N] [--seed S] [--clients N] [--mix all|edits] [--no-faults] [--bug NAME]
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '8' },
    mix: { type: 'string', default: 'all' },
    'no-faults': { type: 'boolean', default: false },
    bug: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const bug = seededBugs.find(({ name }) => name === values.bug) ?? null;
if (values.bug !== undefined && !bug) {
  console.error(`No such bug. There are: ${seededBugs.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

console.log(
  `seed ${seed}, ${values.minutes} minutes${bug ? `, with ${bug.name}: ${bug.breaks}` : ''}`,
);
const history = await runCheck({
  seed,
  seconds: Number(values.minutes) * 60,
  companies: 2,
  clientsPerCompany: Number(values.clients),
  mix: values.mix === 'edits' ? 'edits' : 'all',
  hasFaults: !values['no-faults'],
  bug,
  stopsEarly: bug !== null,
});
for (const [name, count] of Object.entries(history.figures()).toSorted(([a], [b]) =>
  a < b ? -1 : 1,
)) {
  console.log(`${String(count).padStart(10)}  ${name}`);
}
for (const { invariant, detail } of history.violations()) {
  console.log(`VIOLATION  ${invariant}: ${detail}`);
}
const path = `sync-check-${seed}.log`;
if (history.violations().length > 0) {
  await history.write(path);
  console.log(`\nSteps that led to the violations:\n${history.report().join('\n')}\n`);
  console.log(`full history: ${path}`);
}
console.log(history.violations().length === 0 ? 'no violations' : 'VIOLATIONS FOUND');
process.exitCode = history.violations().length === 0 ? 0 : 1;
