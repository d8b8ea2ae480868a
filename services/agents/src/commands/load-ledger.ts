import type { AgentId, KeyId, RunId } from '@commonplace/contracts/core';
import { modelsPerDayMax } from '@commonplace/contracts/agents';
import type { Account } from '../policy/book-usage.ts';
import { budgetMonth } from '../policy/runs.ts';
import { listAgentsOfRuns, type AgentLimits } from '../queries/agents.ts';
import { lockMonthsOfRuns, type BudgetMonthRow } from '../queries/budgets.ts';
import { lockCompany, type CompanyWithLimits } from '../queries/companies.ts';
import {
  insertCompanyMonths,
  lockCompanyMonthsOfRuns,
  type CompanyMonthRow,
} from '../queries/company-months.ts';
import { listKeyStates, type KeyState } from '../queries/keys.ts';
import { lockRuns, type RunRow } from '../queries/runs.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { findReports, type ReportRow } from '../queries/usage-reports.ts';
import { listModelsOfRuns } from '../queries/usage.ts';

/** An account whose sums change while reports are booked. */
export type OpenAccount = Omit<Account, 'months'> & {
  readonly months: Map<string, CompanyMonthRow>;
};

/** What decides reports of a company, read under its lock. */
export type Ledger = {
  readonly company: CompanyWithLimits;
  readonly companyAccount: OpenAccount;
  readonly agents: ReadonlyMap<AgentId, AgentLimits>;
  readonly agentAccounts: ReadonlyMap<AgentId, OpenAccount>;
  readonly keys: ReadonlyMap<KeyId, KeyState>;
  readonly runs: Map<RunId, RunRow>;
  /** By run and mutation id. */
  readonly reports: Map<string, ReportRow>;
  /** The models that have sums, by day. */
  readonly models: Map<string, Set<string>>;
};

/** The key of `Ledger.reports`. */
export const reportKey = (runId: RunId, mutationId: string): string => `${runId} ${mutationId}`;

type Wanted = {
  readonly reports: readonly Pick<ReportRow, 'runId' | 'mutationId'>[];
  readonly keyIds: readonly KeyId[];
  readonly at: Date;
};

/**
 * Locks the company, so that no other change of it runs, then runs and sums, which background tasks change without that
 * lock, and reads the rest: one round trip, because PostgreSQL runs the statements in order, and another one for a new
 * month. Null without such a company.
 */
export const loadLedger = async (
  tx: ChangeTx,
  { reports, keyIds, at }: Wanted,
): Promise<Ledger | null> => {
  const month = budgetMonth(at);
  const runIds = [...new Set(reports.map(({ runId }) => runId))];
  const [company, runs, agents, keys, found, months, companyMonths, models] = await Promise.all([
    lockCompany(tx, 'no key update'),
    lockRuns(tx, runIds),
    listAgentsOfRuns(tx, runIds),
    listKeyStates(tx, keyIds),
    findReports(tx, reports),
    lockMonthsOfRuns(tx, runIds, month),
    lockCompanyMonthsOfRuns(tx, runIds, month),
    listModelsOfRuns(tx, runIds),
  ]);
  return (
    company && {
      company,
      companyAccount: {
        ...company,
        of: 'company',
        months: await withMissing(tx, companyMonths, { month, runs }),
      },
      agents: new Map(agents.map((agent) => [agent.id, agent])),
      agentAccounts: accountsOf(agents, months),
      keys: new Map(keys.map((key) => [key.id, key])),
      runs: new Map(runs.map((run) => [run.id, run])),
      reports: new Map(found.map((row) => [reportKey(row.runId, row.mutationId), row])),
      models: modelsByDay(models),
    }
  );
};

/**
 * Returns the sums of the company for the months in which the runs started, and for `month`. For a month that has none yet
 * they are made from the sums of its agents.
 */
const withMissing = async (
  tx: ChangeTx,
  found: readonly CompanyMonthRow[],
  { month, runs }: { readonly month: string; readonly runs: readonly RunRow[] },
): Promise<Map<string, CompanyMonthRow>> => {
  const wanted = [month, ...runs.map(({ budgetMonth }) => budgetMonth)];
  const months = byMonth(found);
  if (wanted.every((each) => months.has(each))) {
    return months;
  }
  await insertCompanyMonths(tx, wanted);
  const runIds = runs.map(({ id }) => id);
  return byMonth(await lockCompanyMonthsOfRuns(tx, runIds, month));
};

const byMonth = (rows: readonly CompanyMonthRow[]): Map<string, CompanyMonthRow> =>
  new Map(rows.map((row) => [row.month, row]));

const accountsOf = (
  agents: readonly AgentLimits[],
  months: readonly BudgetMonthRow[],
): ReadonlyMap<AgentId, OpenAccount> =>
  new Map(
    agents.map((agent) => {
      const own = months.filter(({ agentId }) => agentId === agent.id);
      return [agent.id, { ...agent, of: 'agent', months: byMonth(own) }];
    }),
  );

const modelsByDay = (
  rows: readonly { readonly day: string; readonly model: string }[],
): Map<string, Set<string>> => {
  const days = new Map<string, Set<string>>();
  for (const { day, model } of rows.filter((row) => row.model !== '')) {
    days.set(day, (days.get(day) ?? new Set()).add(model));
  }
  return days;
};

/** The model under which a day sums a report: none once the day has too many. */
export const modelInSums = (ledger: Ledger, day: string, model: string | null): string => {
  const models = ledger.models.get(day) ?? new Set();
  ledger.models.set(day, models);
  if (model === null || (!models.has(model) && models.size >= modelsPerDayMax)) {
    return '';
  }
  models.add(model);
  return model;
};
