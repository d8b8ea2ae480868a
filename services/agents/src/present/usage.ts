import type { Usage } from '@commonplace/contracts/agents';
import { listDays } from '@commonplace/contracts/core';
import type { AgentUsageRow, UsageSums, UsageTotal } from '../queries/usage.ts';
import { writeCsv } from './write-csv.ts';

type Range = { readonly from: string; readonly to: string };

const presentSums = ({ succeeded, failed, cancelled, expired, costCents }: UsageSums) => ({
  runs: { succeeded, failed, cancelled, expired },
  costCents,
});

const none: UsageSums = { succeeded: 0, failed: 0, cancelled: 0, expired: 0, costCents: 0 };

/** Every day of the range, those without runs included. */
export const presentUsageByDay = (
  { from, to }: Range,
  rows: readonly (UsageSums & { readonly day: string })[],
): Usage => {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const items = listDays(from, to).map((day) => ({
    day,
    agent: null,
    ...presentSums(byDay.get(day) ?? none),
  }));
  return { from, to, total: presentSums(rows.reduce(add, none)), items, others: null };
};

const add = (one: UsageSums, other: UsageSums): UsageSums => combine(one, other, (a, b) => a + b);

const subtract = (one: UsageSums, other: UsageSums): UsageSums =>
  combine(one, other, (a, b) => Math.max(0, a - b));

/** Sums are exact up to 2^53; a larger one is shown as the largest. */
const combine = (
  one: UsageSums,
  other: UsageSums,
  by: (a: number, b: number) => number,
): UsageSums => {
  const apply = (name: keyof UsageSums): number =>
    Math.min(by(one[name], other[name]), Number.MAX_SAFE_INTEGER);
  return {
    succeeded: apply('succeeded'),
    failed: apply('failed'),
    cancelled: apply('cancelled'),
    expired: apply('expired'),
    costCents: apply('costCents'),
  };
};

/** The agents that were read, and the sum of those that were not. */
export const presentUsageByAgent = (
  { from, to }: Range,
  rows: readonly AgentUsageRow[],
  total: UsageTotal,
): Usage => ({
  from,
  to,
  total: presentSums(total),
  items: rows.map((row) => {
    const { agentId: id, name, status, monthlyCents } = row;
    return { day: null, agent: { id, name, status, monthlyCents }, ...presentSums(row) };
  }),
  others:
    total.agents > rows.length
      ? {
          agents: total.agents - rows.length,
          ...presentSums(rows.reduce<UsageSums>(subtract, total)),
        }
      : null,
});

const sumColumns = ['succeeded', 'failed', 'cancelled', 'expired', 'cost_cents'];

type Sums = Usage['total'];

const sumCells = ({ runs, costCents }: Sums): number[] => [
  runs.succeeded,
  runs.failed,
  runs.cancelled,
  runs.expired,
  costCents,
];

/** The report as a table: a line per day or agent, and one for the agents beyond the limit. */
export const writeUsage = ({ items, others }: Usage, by: 'day' | 'agent'): string => {
  if (by === 'day') {
    return writeCsv([
      ['day', ...sumColumns],
      ...items.map((item) => [item.day, ...sumCells(item)]),
    ]);
  }
  return writeCsv([
    ['agent_id', 'agent', 'monthly_budget_cents', ...sumColumns],
    ...items.map((item) => [
      item.agent?.id ?? null,
      item.agent?.name ?? null,
      item.agent?.monthlyCents ?? null,
      ...sumCells(item),
    ]),
    ...(others ? [[null, `${others.agents} more agents`, null, ...sumCells(others)]] : []),
  ]);
};
