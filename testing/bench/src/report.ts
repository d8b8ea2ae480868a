import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Row } from './measurement.ts';

/** A row with what it came to. */
export type JudgedRow = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number | null;
  /** The limit is a peer's figure, recorded on a machine of this kind, not measured beside ours. */
  readonly recorded: boolean;
  readonly ratio: number | null;
  readonly reach: string | null;
  readonly ok: boolean | null;
  readonly note?: string;
};

const rounded = (value: number): number => Number(value.toPrecision(value >= 1_000 ? 5 : 3));

/** Compares a figure with what it has to reach. */
export const judge = (row: Row): JudgedRow => {
  const { name, unit, value, limit, isLimitRecorded = false, reach, note } = row;
  const ratio = row.ratio ?? (limit === null ? null : value / limit);
  return {
    name,
    value: rounded(value),
    unit,
    limit: limit === null ? null : rounded(limit),
    recorded: isLimitRecorded,
    ratio: ratio === null ? null : rounded(ratio),
    reach: reach && reachText(reach, unit),
    ok: reach && isReached(reach, reach.of === 'ratio' ? (ratio ?? Number.NaN) : value),
    ...(note === undefined ? {} : { note }),
  };
};

const reachText = ({ of, is, bound }: NonNullable<Row['reach']>, unit: string): string =>
  `${is === 'at least' ? '>=' : '<='} ${bound} ${of === 'ratio' ? 'x' : unit}`;

const isReached = ({ is, bound }: NonNullable<Row['reach']>, figure: number): boolean =>
  is === 'at least' ? figure >= bound : figure <= bound;

/** Where and with what the figures were taken. */
export const surroundings = () => ({
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

/** The table as Markdown. */
export const tableOf = (rows: readonly JudgedRow[]): string => {
  const lines = rows.map((row) => {
    const limit = row.limit === null ? '' : `${row.limit}${row.recorded ? ' (recorded)' : ''}`;
    const cells = [
      row.name,
      `${row.value} ${row.unit}`,
      limit,
      row.ratio ?? '',
      row.reach ?? '',
      okText(row.ok),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| What | Ours | Baseline | Ratio | Target | Ok |\n| --- | --- | --- | --- | --- | --- |';
  return [head, ...lines].join('\n');
};
