import { AppError } from '@commonplace/contracts/core';
import type { ReportUsageBody } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import type { SubmittedReport } from '../deps.ts';
import {
  addDelta,
  decideReport,
  deltasOf,
  noSums,
  type Added,
  type Amounts,
} from '../policy/book-usage.ts';
import { budgetMonth, isRunning } from '../policy/runs.ts';
import { assertAgentActive, assertCompanyActive, isActiveKey } from '../policy/state.ts';
import type { RunRow } from '../queries/runs.ts';
import type { ReportRow } from '../queries/usage-reports.ts';
import { trustChange } from './begin-change.ts';
import {
  loadLedger,
  modelInSums,
  reportKey,
  type Ledger,
  type OpenAccount,
} from './load-ledger.ts';
import { writeBookings, type Booking } from './write-bookings.ts';

type QueuedReport = Pick<SubmittedReport, 'runId' | 'body' | 'caller'>;

/**
 * Books reports of one company in one transaction, in their order, as if each had one of its own. The credential of
 * each is checked again under the lock of the company.
 */
export const bookReports = async (
  scope: CompanyTx,
  queued: readonly QueuedReport[],
  at: Date,
): Promise<PromiseSettledResult<ReportRow>[]> => {
  const tx = trustChange(scope, 'each report is checked against its credential under the lock');
  const ledger = await loadLedger(tx, {
    reports: queued.map(({ runId, body }) => ({ runId, mutationId: body.mutationId })),
    keyIds: queued.flatMap(({ caller }) => caller.keyId ?? []),
    at,
  });
  const bookings: Booking[] = [];
  const results = queued.map((sent): PromiseSettledResult<ReportRow> => {
    try {
      return { status: 'fulfilled', value: bookReport(ledger, sent, { at, bookings }) };
    } catch (reason) {
      return { status: 'rejected', reason };
    }
  });
  if (ledger && bookings.length > 0) {
    await writeBookings(tx, ledger, { bookings, at });
  }
  return results;
};

type Batch = { readonly at: Date; readonly bookings: Booking[] };

/** Decides one report and adds it to the ledger. A report that was decided before is returned again. */
const bookReport = (ledger: Ledger | null, sent: QueuedReport, batch: Batch): ReportRow => {
  const run = ledger?.runs.get(sent.runId);
  if (!ledger || !run) {
    throw new AppError('not_found');
  }
  assertCredential(ledger, run, { sent, at: batch.at });
  const amounts = amountsOf(sent.body);
  const key = reportKey(run.id, sent.body.mutationId);
  const known = ledger.reports.get(key);
  if (known) {
    assertSame(known, amounts, sent.body.model ?? null);
    return known;
  }
  assertCompanyActive(ledger.company.status);
  const isOpen = isRunning(run, batch.at);
  if (isOpen) {
    assertAgentActive(ledger.agents.get(run.agentId)?.status ?? 'terminated');
  }
  const reported = { sent, amounts, at: batch.at };
  const booking = isOpen ? decide(ledger, run, reported) : late(run, reported);
  ledger.reports.set(key, booking.report);
  batch.bookings.push(booking);
  return booking.report;
};

/** The token of a run may report for that run only; whether the run is running is checked for new reports. */
const assertCredential = (
  { agents, keys }: Ledger,
  run: RunRow,
  { sent: { caller }, at }: { readonly sent: QueuedReport; readonly at: Date },
): void => {
  const key = caller.keyId === null ? null : keys.get(caller.keyId);
  const isKeyActive = key === null || (key !== undefined && isActiveKey(key, at));
  if (!isKeyActive || agents.get(run.agentId)?.status === 'terminated') {
    throw new AppError('invalid_token');
  }
  const isOfRun = caller.runId === run.id || (caller.runId === null && caller.keyId !== null);
  if (run.agentId !== caller.agentId || !isOfRun) {
    throw new AppError('not_own_agent');
  }
};

const amountsOf = (body: ReportUsageBody): Amounts => ({
  costCents: body.costCents ?? null,
  inputTokens: body.inputTokens ?? 0,
  outputTokens: body.outputTokens ?? 0,
});

const assertSame = (known: ReportRow, amounts: Amounts, model: string | null): void => {
  const isSame =
    known.costCents === amounts.costCents &&
    known.inputTokens === amounts.inputTokens &&
    known.outputTokens === amounts.outputTokens &&
    known.model === model;
  if (!isSame) {
    throw new AppError('mutation_id_reused');
  }
};

type New = { readonly sent: QueuedReport; readonly amounts: Amounts; readonly at: Date };

/** A report after the end of its run: what it names was spent, so it is kept, and in no sum. */
const late = (run: RunRow, reported: New): Booking =>
  bookingOf(run, reported, {
    added: { cents: 0, tokens: 0 },
    model: '',
    outcome: 'refused',
    exceeded: null,
  });

const decide = (ledger: Ledger, run: RunRow, reported: New): Booking => {
  const { sent, amounts, at } = reported;
  const month = budgetMonth(at);
  const own = ledger.agentAccounts.get(run.agentId);
  const accounts = own ? [own, ledger.companyAccount] : [ledger.companyAccount];
  const { outcome, limit, run: after, added } = decideReport(run, amounts, { accounts, month });
  accounts.forEach((account) => addToAccount(account, added, { runMonth: run.budgetMonth, month }));
  const { reportedCents, inputTokens, outputTokens } = after;
  const isEnded = outcome !== 'booked';
  const totals = { ...run, reportedCents, inputTokens, outputTokens };
  ledger.runs.set(run.id, isEnded ? { ...totals, status: 'cancelled' } : totals);
  return bookingOf(totals, reported, {
    added,
    model: outcome === 'refused' ? '' : modelInSums(ledger, dayOf(run), sent.body.model ?? null),
    outcome,
    exceeded: limit && { ...limit, currency: ledger.company.currency },
  });
};

type Decision = Pick<Booking, 'added' | 'model'> & Pick<ReportRow, 'outcome' | 'exceeded'>;

/** The booking of a report, with the totals of its run. */
const bookingOf = (
  run: RunRow,
  { sent, amounts, at }: New,
  { added, model, outcome, exceeded }: Decision,
): Booking => ({
  run,
  caller: sent.caller,
  added,
  day: dayOf(run),
  model,
  report: {
    runId: run.id,
    mutationId: sent.body.mutationId,
    at,
    ...amounts,
    model: sent.body.model ?? null,
    outcome,
    exceeded,
    totalCents: run.reportedCents,
    totalInputTokens: run.inputTokens,
    totalOutputTokens: run.outputTokens,
  },
});

/** The UTC day on which a run started. */
const dayOf = ({ startedAt }: RunRow): string => startedAt.toISOString().slice(0, 10);

const addToAccount = (
  { months }: OpenAccount,
  added: Added,
  { runMonth, month }: { readonly runMonth: string; readonly month: string },
): void => {
  for (const delta of deltasOf(added, runMonth, month)) {
    const sums = months.get(delta.month);
    const before = sums ?? { ...noSums, month: delta.month, warnedCents: null, warnedTokens: null };
    months.set(delta.month, { ...before, ...addDelta(before, delta) });
  }
};
