import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDelta,
  decideReport,
  deltasOf,
  dueWarnings,
  noSums,
  type Account,
  type Added,
  type MonthSums,
  type ReportedRun,
} from './book-usage.ts';

const months = ['2026-10-01', '2026-11-01'];
const amount = fc.nat(40);
const limit = fc.option(fc.nat(120));
const limits = fc.record({ monthlyCents: limit, monthlyTokens: limit });
const report = fc.record({
  run: fc.nat(3),
  month: fc.constantFrom(...months),
  amounts: fc.record({ costCents: fc.option(amount), inputTokens: amount, outputTokens: amount }),
});
const run = fc.record({ month: fc.constantFrom(...months), reservedCents: fc.nat(30) });

type Changing = Omit<Account, 'months'> & { readonly months: Map<string, MonthSums> };

const reserveIn = (
  account: Changing,
  { month, reservedCents }: { month: string; reservedCents: number },
) => {
  const sums = account.months.get(month) ?? noSums;
  account.months.set(month, { ...sums, reservedCents: sums.reservedCents + reservedCents });
};

/** Whether sums to which a report added are beyond a limit. */
const isBeyond = (
  { monthlyCents, monthlyTokens, months: sumsOf }: Account,
  added: Added,
  [runMonth, month]: readonly [string, string],
): boolean =>
  [runMonth, month].some((each) => {
    const sums = sumsOf.get(each) ?? noSums;
    const isCarried = each !== runMonth;
    const cents = sums.spentCents + sums.reservedCents + (isCarried ? sums.carriedCents : 0);
    const tokens = sums.spentTokens + (isCarried ? sums.carriedTokens : 0);
    return (
      (added.cents > 0 && cents > (monthlyCents ?? Infinity)) ||
      (added.tokens > 0 && tokens > (monthlyTokens ?? Infinity))
    );
  });

describe('booking reports of several runs over two months', () => {
  it('exceeds each limit by one report at most, which is not booked as one within it, and adds what was booked and nothing else', () => {
    fc.assert(
      fc.property(
        fc.record({ ofAgent: limits, ofCompany: limits }),
        fc.array(run, { minLength: 4, maxLength: 4 }),
        fc.array(report, { maxLength: 40 }),
        ({ ofAgent, ofCompany }, starts, reports) => {
          const agent: Changing = { ...ofAgent, of: 'agent', months: new Map() };
          const company: Changing = { ...ofCompany, of: 'company', months: new Map() };
          const accounts = [agent, company];
          const runs: (ReportedRun & { isEnded: boolean })[] = starts.map((start) => {
            accounts.forEach((account) => reserveIn(account, start));
            return {
              budgetMonth: start.month,
              reservedCents: start.reservedCents,
              reportedCents: null,
              inputTokens: 0,
              outputTokens: 0,
              isEnded: false,
            };
          });
          const beyond = new Map<string, number>();
          const crossings: boolean[] = [];
          const booked = { cents: 0, tokens: 0 };
          for (const { run: index, month: later, amounts } of reports) {
            const of = runs[index];
            // No run reports before it starts.
            const month = of && later < of.budgetMonth ? of.budgetMonth : later;
            if (!of || of.isEnded) {
              continue;
            }
            const {
              outcome,
              limit: exceeded,
              run: after,
              added,
            } = decideReport(of, amounts, {
              accounts,
              month,
            });
            if (outcome === 'exceeded' && exceeded) {
              // What a run of an earlier month uses counts for the check of such runs only.
              const isCarried = !of.budgetMonth.startsWith(exceeded.month);
              const name = `${exceeded.of} ${exceeded.unit} ${exceeded.month} ${isCarried}`;
              beyond.set(name, (beyond.get(name) ?? 0) + 1);
              crossings.push(exceeded.used - added[exceeded.unit] <= exceeded.limit);
              crossings.push(exceeded.used > exceeded.limit);
            }
            if (outcome !== 'refused') {
              booked.cents += amounts.costCents ?? 0;
              booked.tokens += amounts.inputTokens + amounts.outputTokens;
            }
            for (const account of accounts) {
              for (const delta of deltasOf(added, of.budgetMonth, month)) {
                const sums = account.months.get(delta.month) ?? noSums;
                account.months.set(delta.month, addDelta(sums, delta));
              }
            }
            if (outcome === 'booked') {
              crossings.push(
                !accounts.some((each) => isBeyond(each, added, [of.budgetMonth, month])),
              );
            }
            runs[index] = { ...after, isEnded: outcome !== 'booked' };
          }
          const sumOf = (of: (each: ReportedRun) => number) =>
            runs.reduce((sum, each) => sum + of(each), 0);
          expect(sumOf(({ reportedCents }) => reportedCents ?? 0)).toBe(booked.cents);
          expect(sumOf((each) => each.inputTokens + each.outputTokens)).toBe(booked.tokens);
          const spentOf = (name: 'spentCents' | 'spentTokens', { months: of }: Changing) =>
            [...of.values()].reduce((sum, each) => sum + each[name], 0);
          const unreserved = sumOf((each) =>
            Math.max(0, (each.reportedCents ?? 0) - each.reservedCents),
          );
          for (const account of accounts) {
            expect(spentOf('spentCents', account)).toBe(unreserved);
            expect(spentOf('spentTokens', account)).toBe(booked.tokens);
          }
          expect(crossings).not.toContain(false);
          expect(Math.max(0, ...beyond.values())).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a limit that was exceeded before', () => {
  it('hides no other one: a report within its reservation that exceeds the tokens is not booked', () => {
    const month = '2026-11-01';
    const sums = { ...noSums, spentCents: 60, reservedCents: 50 };
    const months = new Map([[month, sums]]);
    const agent: Account = { of: 'agent', monthlyCents: 100, monthlyTokens: 100, months };
    const reserving = {
      budgetMonth: month,
      reservedCents: 50,
      reportedCents: null,
      inputTokens: 0,
      outputTokens: 0,
    };
    const amounts = { costCents: 10, inputTokens: 101, outputTokens: 0 };
    expect(decideReport(reserving, amounts, { accounts: [agent], month })).toMatchObject({
      outcome: 'exceeded',
      limit: { of: 'agent', unit: 'tokens', limit: 100, used: 101 },
      added: { cents: 0, tokens: 101 },
    });
  });
});

describe('a warning', () => {
  const sums = { ...noSums, spentCents: 50, reservedCents: 30, spentTokens: 7 };
  const warned = { warnedCents: null, warnedTokens: null };

  it('is due when 80 % of a limit are spent or reserved, once for each limit', () => {
    const both = { monthlyCents: 100, monthlyTokens: 8 };
    expect(dueWarnings(both, sums, warned)).toEqual([
      { unit: 'cents', limit: 100, used: 80 },
      { unit: 'tokens', limit: 8, used: 7 },
    ]);
    expect(dueWarnings(both, sums, { warnedCents: 100, warnedTokens: 8 })).toEqual([]);
    expect(dueWarnings({ ...both, monthlyCents: 101 }, sums, warned)).toHaveLength(1);
  });

  it('is never due without a limit, or with one of nothing', () => {
    expect(dueWarnings({ monthlyCents: null, monthlyTokens: null }, sums, warned)).toEqual([]);
    expect(dueWarnings({ monthlyCents: 0, monthlyTokens: 0 }, sums, warned)).toEqual([]);
  });
});
