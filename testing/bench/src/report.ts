import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Row } from './measurement.ts';

/** A row with its ratio and whether it meets its target. */
export type EvaluatedRow = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number | null;
  /** The baseline was recorded earlier on a comparable machine, not measured in this run. */
  readonly recorded: boolean;
  readonly ratio: number | null;
  readonly target: string | null;
  readonly ok: boolean | null;
  readonly note?: string;
};

const rounded = (value: number): number => Number(value.toPrecision(value >= 1_000 ? 5 : 3));

/** Compares a figure with its target. */
export const evaluate = (row: Row): EvaluatedRow => {
  const { name, unit, value, baseline, isBaselineRecorded = false, target, note } = row;
  const ratio = row.ratio ?? (baseline === null ? null : value / baseline);
  return {
    name,
    value: rounded(value),
    unit,
    baseline: baseline === null ? null : rounded(baseline),
    recorded: isBaselineRecorded,
    ratio: ratio === null ? null : rounded(ratio),
    target: target && targetText(target, unit),
    ok: target && meetsTarget(target, target.of === 'ratio' ? (ratio ?? Number.NaN) : value),
    ...(note === undefined ? {} : { note }),
  };
};

const targetText = ({ of, is, bound }: NonNullable<Row['target']>, unit: string): string =>
  `${is === 'at least' ? '>=' : '<='} ${bound} ${of === 'ratio' ? 'x' : unit}`;

/** A figure that is not a number or below zero says that the measurement failed: times, bytes and ratios are neither. */
const meetsTarget = ({ is, bound }: NonNullable<Row['target']>, figure: number): boolean =>
  figure >= 0 && (is === 'at least' ? figure >= bound : figure <= bound);

/** The machine and the versions of this run. */
export const hostInfo = () => ({
  machine: {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
  },
  versions: {
    commonplace: versionOf('../../..'),
    node: process.version,
    postgresql: 'embedded 18.4',
    autocannon: versionOf('../node_modules/autocannon'),
  },
});

const versionOf = (folder: string): string => {
  const file = join(import.meta.dirname, folder, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

const okText = (ok: boolean | null): string => (ok === null ? '' : ok ? 'yes' : 'NO');

/** A row of the Markdown table. */
export const lineOf = (row: EvaluatedRow): string => {
  const baseline =
    row.baseline === null ? '' : `${row.baseline}${row.recorded ? ' (recorded)' : ''}`;
  const cells = [
    row.name,
    `${row.value} ${row.unit}`,
    baseline,
    row.ratio ?? '',
    row.target ?? '',
    okText(row.ok),
  ];
  return `| ${cells.join(' | ')} |`;
};

/** What took how long, in whole seconds, on one line. */
export const durationsOf = (seconds: ReadonlyMap<string, number>): string => {
  const parts = [...seconds].map(([name, taken]) => `${name} ${Math.round(taken)}`);
  const total = [...seconds.values()].reduce((sum, taken) => sum + taken, 0);
  return `Seconds: ${parts.join(', ')}; together ${Math.round(total)}`;
};

/** The rows as a Markdown table. */
export const tableOf = (rows: readonly EvaluatedRow[]): string => {
  const head =
    '| What | Ours | Baseline | Ratio | Target | Ok |\n| --- | --- | --- | --- | --- | --- |';
  return [head, ...rows.map(lineOf)].join('\n');
};
