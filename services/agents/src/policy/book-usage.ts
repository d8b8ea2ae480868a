import {
  budgetWarningPercent,
  type ExceededLimit,
  type ReportOutcome,
} from '@commonplace/contracts/agents';
import { unreservedCents } from './runs.ts';

/** The sums of an agent or a company in a month. */
export type MonthSums = {
  readonly spentCents: number;
  readonly reservedCents: number;
  readonly spentTokens: number;
  /** What runs of earlier months used in it. */
  readonly carriedCents: number;
  readonly carriedTokens: number;
};

/** Null means unlimited. */
export type Limits = {
  readonly monthlyCents: number | null;
  readonly monthlyTokens: number | null;
};

/** The limits after a change; those that it does not name stay. */
export const limitsAfter = (
  { monthlyCents, monthlyTokens }: Limits,
  change:
    | {
        readonly monthlyCents?: number | null | undefined;
        readonly monthlyTokens?: number | null | undefined;
      }
    | undefined,
): Limits => ({
  monthlyCents: change?.monthlyCents === undefined ? monthlyCents : change.monthlyCents,
  monthlyTokens: change?.monthlyTokens === undefined ? monthlyTokens : change.monthlyTokens,
});

/** An agent or a company: its limits, and its sums by month (`2026-11-01`). */
export type Account = Limits & {
  readonly of: ExceededLimit['of'];
  readonly months: ReadonlyMap<string, MonthSums>;
};

/** A run, and what it has reported so far. */
export type ReportedRun = {
  readonly budgetMonth: string;
  readonly reservedCents: number;
  readonly reportedCents: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** What a report says was used. */
export type Amounts = {
  /** Null when it says nothing of a cost. */
  readonly costCents: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** What a report adds to the sums of a month. */
export type Added = { readonly cents: number; readonly tokens: number };

export type Decision = {
  readonly outcome: ReportOutcome;
  /** What was exceeded; null if nothing was. */
  readonly limit: ExceededLimit | null;
  /** The run after the report. */
  readonly run: ReportedRun;
  readonly added: Added;
};

/** Beyond this, sums are stored as this: they stay exact. */
const sumMax = 2 ** 52;

export const noSums: MonthSums = {
  spentCents: 0,
  reservedCents: 0,
  spentTokens: 0,
  carriedCents: 0,
  carriedTokens: 0,
};

/**
 * Decides a report of a running run. Of all reports, one at most is booked beyond each limit: the one that exceeds it.
 * Where a limit was exceeded before, a report that would add to it is refused. A report within the reservation of
 * its run adds nothing to money. `month` is the current one; a run of an earlier month is checked against both.
 */
export const decideReport = (
  run: ReportedRun,
  amounts: Amounts,
  { accounts, month }: { readonly accounts: readonly Account[]; readonly month: string },
): Decision => {
  const after = addAmounts(run, amounts);
  const added = {
    cents: unreservedCents(after) - unreservedCents(run),
    tokens: amounts.inputTokens + amounts.outputTokens,
  };
  const checks = accounts.flatMap((account) => checksOf(account, run.budgetMonth, month));
  const before = checks.find(({ unit, limit, used }) => added[unit] > 0 && used > limit);
  if (before) {
    return { outcome: 'refused', limit: before, run, added: { cents: 0, tokens: 0 } };
  }
  const exceeded = checks.find(
    ({ unit, limit, used }) => added[unit] > 0 && used + added[unit] > limit,
  );
  return exceeded
    ? {
        outcome: 'exceeded',
        limit: { ...exceeded, used: exceeded.used + added[exceeded.unit] },
        run: after,
        added,
      }
    : { outcome: 'booked', limit: null, run: after, added };
};

const addAmounts = (run: ReportedRun, amounts: Amounts): ReportedRun => ({
  ...run,
  reportedCents:
    amounts.costCents === null
      ? run.reportedCents
      : Math.min((run.reportedCents ?? 0) + amounts.costCents, sumMax),
  inputTokens: Math.min(run.inputTokens + amounts.inputTokens, sumMax),
  outputTokens: Math.min(run.outputTokens + amounts.outputTokens, sumMax),
});

/** The limits of an account in the month of the run and the current one, and what is used of them. */
const checksOf = (account: Account, runMonth: string, month: string): ExceededLimit[] =>
  [...new Set([runMonth, month])].flatMap((each) => {
    const sums = account.months.get(each) ?? noSums;
    const isCarried = each !== runMonth;
    const cents = sums.spentCents + sums.reservedCents + (isCarried ? sums.carriedCents : 0);
    const tokens = sums.spentTokens + (isCarried ? sums.carriedTokens : 0);
    const of = { of: account.of, month: each.slice(0, 7) };
    return [
      ...(account.monthlyCents === null
        ? []
        : [{ ...of, unit: 'cents' as const, limit: account.monthlyCents, used: cents }]),
      ...(account.monthlyTokens === null
        ? []
        : [{ ...of, unit: 'tokens' as const, limit: account.monthlyTokens, used: tokens }]),
    ];
  });

/** What a report of a run of `runMonth` adds in `month`, for each month whose sums it changes. */
export const deltasOf = ({ cents, tokens }: Added, runMonth: string, month: string) => [
  { month: runMonth, spentCents: cents, spentTokens: tokens, carriedCents: 0, carriedTokens: 0 },
  ...(month === runMonth
    ? []
    : [{ month, spentCents: 0, spentTokens: 0, carriedCents: cents, carriedTokens: tokens }]),
];

/** The sums of a month after a delta. */
export const addDelta = (sums: MonthSums, delta: Omit<MonthSums, 'reservedCents'>): MonthSums => ({
  reservedCents: sums.reservedCents,
  spentCents: sums.spentCents + delta.spentCents,
  spentTokens: sums.spentTokens + delta.spentTokens,
  carriedCents: sums.carriedCents + delta.carriedCents,
  carriedTokens: sums.carriedTokens + delta.carriedTokens,
});

/** The limits whose warning was given; null: none. */
export type Warned = { readonly warnedCents: number | null; readonly warnedTokens: number | null };

export type Warning = Pick<ExceededLimit, 'unit' | 'limit' | 'used'>;

/** The warnings that are due: once a month for each limit, when 80 % of it are spent or reserved. */
export const dueWarnings = (
  { monthlyCents, monthlyTokens }: Limits,
  sums: MonthSums,
  { warnedCents, warnedTokens }: Warned,
): Warning[] => {
  const cents = { unit: 'cents', used: sums.spentCents + sums.reservedCents } as const;
  const tokens = { unit: 'tokens', used: sums.spentTokens } as const;
  return [
    ...dueWarning(cents, monthlyCents, warnedCents),
    ...dueWarning(tokens, monthlyTokens, warnedTokens),
  ];
};

const dueWarning = (
  of: Omit<Warning, 'limit'>,
  limit: number | null,
  warned: number | null,
): Warning[] =>
  limit !== null && limit > 0 && limit !== warned && of.used >= (limit / 100) * budgetWarningPercent
    ? [{ ...of, limit }]
    : [];
