import type { Figures } from './send-repeatedly.ts';

/** A figure without and beside a flood. */
export type Row = {
  readonly what: string;
  readonly unit: 'ms' | 'responses';
  /** Null means without the flood there is none. */
  readonly alone: number | null;
  readonly during: number;
  /** The most that the flood may add to the figure, or that the figure may be. Absent: no target. */
  readonly target?: { readonly of: 'added' | 'value'; readonly atMost: number };
};

export type Report = {
  /** Prints the figures of some clients. */
  readonly print: (name: string, figures: Figures) => void;
  readonly add: (...rows: readonly Row[]) => void;
  /** The rows as a Markdown table, with their targets. */
  readonly table: () => string;
};

/** What one flood may add to the wait of another caller, as in the measurements of fairness. */
const addedMsMax = 250;

/** Collects what the floods did to others. */
export const createReport = (output: (text: string) => void): Report => {
  const rows: Row[] = [];
  return {
    print: (name, { perSecond, p50Ms, p95Ms, p99Ms, statuses }) => {
      const [rate, p50, p95, p99] = [perSecond, p50Ms, p95Ms, p99Ms].map((each) => each.toFixed(1));
      const times = `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`;
      output(`${name}: ${rate}/s, ${times}, ${JSON.stringify(statuses)}\n`);
    },
    add: (...more) => void rows.push(...more),
    table: () =>
      [
        '| What | Alone | During | Target | Ok |',
        '| --- | --- | --- | --- | --- |',
        ...rows.map(lineOf),
      ].join('\n'),
  };
};

/** Three rows for requests that others send: p50, p95, and responses that are errors of the server or none. */
export const rowsOf = (
  what: string,
  { alone, during }: { readonly alone: Figures; readonly during: Figures },
): Row[] => [
  { what: `${what}, p50`, unit: 'ms', alone: alone.p50Ms, during: during.p50Ms },
  {
    what: `${what}, p95`,
    unit: 'ms',
    alone: alone.p95Ms,
    during: during.p95Ms,
    target: { of: 'added', atMost: addedMsMax },
  },
  {
    what: `${what}, 5xx or no response`,
    unit: 'responses',
    alone: failuresOf(alone),
    during: failuresOf(during),
    target: { of: 'value', atMost: 0 },
  },
];

/** Responses with a status of 5xx, and requests without a response, whose status is the code of an error. */
const failuresOf = ({ statuses }: Figures): number =>
  countOf(statuses, (status) => !/^[1-4]/.test(status));

/** The number of responses whose status meets a condition. */
export const countOf = (
  statuses: Figures['statuses'],
  isCounted: (status: string) => boolean,
): number =>
  Object.entries(statuses).reduce(
    (sum, [status, count]) => sum + (isCounted(status) ? count : 0),
    0,
  );

const lineOf = ({ what, unit, alone, during, target }: Row): string => {
  const figure = (value: number) => `${unit === 'ms' ? value.toFixed(1) : value} ${unit}`;
  const reached = target?.of === 'added' ? during - (alone ?? 0) : during;
  const cells = [
    what,
    alone === null ? '' : figure(alone),
    figure(during),
    target ? `<= ${target.of === 'added' ? '+' : ''}${target.atMost} ${unit}` : '',
    target ? (reached <= target.atMost ? 'yes' : 'NO') : '',
  ];
  return `| ${cells.join(' | ')} |`;
};
