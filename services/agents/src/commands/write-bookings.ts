import type { AgentCaller } from '@commonplace/identity';
import type { AgentId } from '@commonplace/contracts/core';
import { deltasOf, type Added } from '../policy/book-usage.ts';
import { budgetMonth, committedCents } from '../policy/runs.ts';
import { addToBudgetMonths } from '../queries/budgets.ts';
import { addToCompanyMonths } from '../queries/company-months.ts';
import { endRun, updateRunTotals, type RunRow } from '../queries/runs.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { insertReports, type ReportRow } from '../queries/usage-reports.ts';
import { recordReportedUsage } from '../queries/usage.ts';
import { actorOf, recordActivity, type AuditContext } from './audit.ts';
import { finalizeRuns } from './finalize-runs.ts';
import type { Ledger } from './load-ledger.ts';
import { warnOfAgent, warnOfCompany } from './warn-of-budgets.ts';

/** A decided report. */
export type Booking = {
  readonly report: ReportRow;
  /** The run with its totals after the report. */
  readonly run: RunRow;
  readonly caller: AgentCaller;
  readonly added: Added;
  /** The UTC day on which the run started. */
  readonly day: string;
  /** As the sums of the day name it; empty: none. */
  readonly model: string;
};

type Bookings = { readonly bookings: readonly Booking[]; readonly at: Date };

/** Writes decided reports: one round trip, unless a run ends or a warning is due. */
export const writeBookings = async (
  tx: ChangeTx,
  ledger: Ledger,
  { bookings, at }: Bookings,
): Promise<void> => {
  const booked = bookings.filter(({ report }) => report.outcome !== 'refused');
  const deltas = booked.flatMap(({ run, added }) =>
    deltasOf(added, run.budgetMonth, budgetMonth(at)).map((delta) => ({
      agentId: run.agentId,
      ...delta,
    })),
  );
  await Promise.all([
    insertReports(
      tx,
      bookings.map(({ report }) => report),
    ),
    updateRunTotals(tx, totalsOf(booked)),
    addToBudgetMonths(tx, deltas),
    addToCompanyMonths(tx, deltas),
    recordReportedUsage(tx, booked.map(usageOf)),
  ]);
  for (const booking of bookings.filter(({ report }) => report.exceeded !== null)) {
    await endBeyondBudget(tx, booking, at);
  }
  await warn(tx, ledger, { bookings, at });
};

/** The last totals of each run. */
const totalsOf = (booked: readonly Booking[]) => {
  const last = new Map(booked.map(({ run }) => [run.id, run]));
  return [...last.values()].map(({ id, reportedCents, inputTokens, outputTokens }) => ({
    id,
    reportedCents,
    inputTokens,
    outputTokens,
    reports: booked.filter(({ run }) => run.id === id).length,
  }));
};

const usageOf = ({ run, report, day, model }: Booking) => ({
  day,
  agentId: run.agentId,
  model,
  costCents: report.costCents ?? 0,
  inputTokens: report.inputTokens,
  outputTokens: report.outputTokens,
});

/** Ends the run of a report beyond a limit. */
const endBeyondBudget = async (
  tx: ChangeTx,
  { run, report, caller }: Booking,
  at: Date,
): Promise<void> => {
  const audit: AuditContext = { actor: actorOf(caller), at };
  const end = {
    status: 'cancelled',
    at,
    costCents: committedCents(run),
    reason: 'budget',
  } as const;
  const ended = await endRun(tx, run.id, end);
  const { of, ...limit } = report.exceeded ?? {};
  await recordActivity(tx, audit, [
    {
      action: 'budget.exhausted',
      entity: of === 'company' ? ['company', tx.companyId] : ['agent', run.agentId],
      detail: {
        ...limit,
        runId: run.id,
        agentId: run.agentId,
        booked: report.outcome === 'exceeded',
      },
    },
  ]);
  await finalizeRuns(tx, { runs: [ended], action: 'run.cancelled', reason: 'budget' }, audit);
};

/** The warnings of the current month, by the caller that reported last. */
const warn = async (tx: ChangeTx, ledger: Ledger, { bookings, at }: Bookings): Promise<void> => {
  const month = budgetMonth(at);
  const callers = new Map<AgentId, AgentCaller>(
    bookings.map(({ run, caller }) => [run.agentId, caller]),
  );
  for (const [agentId, caller] of callers) {
    const account = ledger.agentAccounts.get(agentId);
    const sums = account?.months.get(month);
    if (account && sums) {
      const agent = { ...account, id: agentId };
      await warnOfAgent(tx, { actor: actorOf(caller), at }, { agent, sums });
    }
  }
  const last = bookings.at(-1);
  const sums = ledger.companyAccount.months.get(month);
  if (last && sums) {
    const audit = { actor: actorOf(last.caller), at };
    await warnOfCompany(tx, audit, { company: ledger.companyAccount, sums });
  }
};
