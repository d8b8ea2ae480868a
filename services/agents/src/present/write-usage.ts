import type { Usage } from '@commonplace/contracts/agents';
import { writeCsv } from './write-csv.ts';

type By = 'day' | 'agent' | 'model' | 'run';
type Sums = Usage['total'];
type Item = Usage['items'][number];

const usedColumns = ['cost_cents', 'input_tokens', 'output_tokens', 'reports'];
const runColumns = ['succeeded', 'failed', 'cancelled', 'expired'];

const usedCells = ({ costCents, inputTokens, outputTokens, reports }: Sums): number[] => [
  costCents,
  inputTokens,
  outputTokens,
  reports,
];

const runCells = ({ runs }: Sums): number[] => [
  runs.succeeded,
  runs.failed,
  runs.cancelled,
  runs.expired,
];

type Table = {
  readonly columns: readonly string[];
  readonly cells: (item: Item) => (string | number | null)[];
  /** The line of what is beyond the limit. */
  readonly rest: (usage: Usage) => (string | number | null)[][];
};

const tables: Readonly<Record<By, Table>> = {
  day: {
    columns: ['day', ...runColumns, ...usedColumns],
    cells: (item) => [item.day, ...runCells(item), ...usedCells(item)],
    rest: () => [],
  },
  agent: {
    columns: ['agent_id', 'agent', 'monthly_budget_cents', ...runColumns, ...usedColumns],
    cells: (item) => [
      item.agent?.id ?? null,
      item.agent?.name ?? null,
      item.agent?.monthlyCents ?? null,
      ...runCells(item),
      ...usedCells(item),
    ],
    rest: ({ others }) =>
      others
        ? [[null, `${others.agents} more agents`, null, ...runCells(others), ...usedCells(others)]]
        : [],
  },
  model: {
    columns: ['model', ...usedColumns],
    cells: (item) => [item.model, ...usedCells(item)],
    rest: ({ others }) =>
      others ? [[`${others.models ?? 0} more models`, ...usedCells(others)]] : [],
  },
  run: {
    columns: ['run_id', 'agent_id', 'agent', 'started_at', 'status', ...usedColumns],
    cells: (item) => [
      item.run?.id ?? null,
      item.agent?.id ?? null,
      item.agent?.name ?? null,
      item.run?.startedAt ?? null,
      item.run?.status ?? null,
      ...usedCells(item),
    ],
    rest: ({ nextCursor }) => (nextCursor === null ? [] : [[`more runs: cursor=${nextCursor}`]]),
  },
};

/** The report as a table: a line per day, agent, model or run, and one for what is beyond the limit. */
export const writeUsage = (usage: Usage, by: By): string => {
  const { columns, cells, rest } = tables[by];
  return writeCsv([columns, ...usage.items.map(cells), ...rest(usage)]);
};
