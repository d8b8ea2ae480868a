import { writeFileSync } from 'node:fs';
import { readOptions } from './options.ts';
import { durationsOf, evaluate, hostInfo, tableOf, type EvaluatedRow } from './report.ts';
import { measurementNames, runBench } from './run-bench.ts';
import { endProducts } from './system/product.ts';
import { writeSection } from './write-section.ts';

/** `pnpm bench`: measures every performance target on this machine. */
const options = readOptions(
  process.argv.slice(2).filter((arg) => arg !== '--'),
  measurementNames,
);
if ('help' in options) {
  (options.isWanted ? process.stdout : process.stderr).write(`${options.help}\n`);
  process.exit(options.isWanted ? 0 : 2);
}
const startedAt = performance.now();
const log = (line: string) => {
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stderr.write(`[${seconds} s] ${line}\n`);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endProducts().finally(() => process.exit(130)));
}
const { rows: measured, seconds } = await runBench(options, log);
const rows = measured.map(evaluate);
const { machine, versions } = hostInfo();
const machineLine = `${machine.cores} cores (${machine.processor}), ${machine.memoryGigabytes} GiB, Node ${versions.node}, PostgreSQL ${versions.postgresql}, ${new Date().toISOString().slice(0, 10)}`;
const reportOf = (shown: readonly EvaluatedRow[]): string => {
  const notes = shown.flatMap(({ name, note }) =>
    note === undefined ? [] : [`${name}: ${note}.`],
  );
  return [machineLine, tableOf(shown), ...notes].join('\n\n');
};
console.log(reportOf(rows));
log(durationsOf(seconds));
if (options.isForDocs) {
  const withTarget = rows.filter(({ target }) => target !== null);
  writeSection(options.only.includes('growth') ? 'growth table' : 'table', reportOf(withTarget));
}
if (options.jsonFile !== null) {
  const result = { machine, versions, rows, seconds: Object.fromEntries(seconds) };
  writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`);
}
