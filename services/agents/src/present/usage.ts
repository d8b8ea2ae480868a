import type { Usage } from '@commonplace/contracts/agents';
import { listDays } from '@commonplace/contracts/core';
import type { AgentUsageRow, UsageSums, UsageTotal } from '../queries/usage.ts';
import type { ModelUsageRow, RunUsageRow } from '../queries/usage-by-model.ts';

type Range = { readonly from: string; readonly to: string };

const presentSums = (sums: UsageSums) => {
  const { succeeded, failed, cancelled, expired, ...used } = sums;
  const { costCents, inputTokens, outputTokens, reports } = used;
  return {
    runs: { succeeded, failed, cancelled, expired },
    costCents,
    inputTokens,
    outputTokens,
    reports,
  };
};

const none: UsageSums = {
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  expired: 0,
  costCents: 0,
  inputTokens: 0,
  outputTokens: 0,
  reports: 0,
};

const noGroup = { day: null, agent: null, model: null, run: null };

/** Every day of the range, those without runs included. */
export const presentUsageByDay = (
  { from, to }: Range,
  rows: readonly (UsageSums & { readonly day: string })[],
): Usage => {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const items = listDays(from, to).map((day) => ({
    ...noGroup,
    day,
    ...presentSums(byDay.get(day) ?? none),
  }));
  const total = presentSums(rows.reduce(add, none));
  return { from, to, total, items, others: null, nextCursor: null };
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
    inputTokens: apply('inputTokens'),
    outputTokens: apply('outputTokens'),
    reports: apply('reports'),
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
    return { ...noGroup, agent: { id, name, status, monthlyCents }, ...presentSums(row) };
  }),
  others:
    total.agents > rows.length
      ? {
          agents: total.agents - rows.length,
          ...presentSums(rows.reduce<UsageSums>(subtract, total)),
        }
      : null,
  nextCursor: null,
});

/** Up to `limit` models, and the sum of the others. */
export const presentUsageByModel = (
  { from, to, limit }: Range & { readonly limit: number },
  rows: readonly ModelUsageRow[],
): Usage => {
  const used = rows.map((row) => ({ ...none, ...row }));
  const others = used.slice(limit);
  return {
    from,
    to,
    total: presentSums(used.reduce<UsageSums>(add, none)),
    items: used.slice(0, limit).map(({ model, ...row }) => ({
      ...noGroup,
      model: model === '' ? null : model,
      ...presentSums(row),
    })),
    others:
      others.length > 0
        ? {
            agents: 0,
            models: others.length,
            ...presentSums(others.reduce<UsageSums>(add, none)),
          }
        : null,
    nextCursor: null,
  };
};

/** One page of runs, and the total of the range. */
export const presentUsageByRun = (
  { from, to }: Range,
  rows: readonly RunUsageRow[],
  days: readonly UsageSums[],
): Omit<Usage, 'nextCursor'> => ({
  from,
  to,
  total: presentSums(days.reduce(add, none)),
  items: rows.map((row) => {
    const { id, status, startedAt, agentId, name, agentStatus, monthlyCents } = row;
    const { costCents, inputTokens, outputTokens, reports } = row;
    return {
      ...noGroup,
      run: { id, status, startedAt: startedAt.toISOString() },
      agent: { id: agentId, name, status: agentStatus, monthlyCents },
      ...presentSums({
        ...none,
        ...(status === 'running' ? {} : { [status]: 1 }),
        costCents,
        inputTokens,
        outputTokens,
        reports,
      }),
    };
  }),
  others: null,
});
