import {
  AppError,
  listScopes,
  type AgentId,
  listGrants,
  type HeldGrants,
  type HeldScopes,
  type RunId,
} from '@commonplace/contracts/core';
import { remainingCents, remainingTokens, type RunTrigger } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { assertAgentActive } from '../policy/state.ts';
import type { Limits } from '../policy/book-usage.ts';
import { budgetMonth } from '../policy/runs.ts';
import { sourceOf } from '../policy/run-source.ts';
import { countRunningRuns } from '../queries/run-lists.ts';
import { type AgentDetailRow, findAgent, lockAgent } from '../queries/agents.ts';
import { insertBudgetMonth, reserveBudget } from '../queries/budgets.ts';
import { type CompanyDetailRow, findCompanyDetail } from '../queries/companies.ts';
import { insertCompanyMonths, reserveCompanyBudget } from '../queries/company-months.ts';
import { insertEntityOwner } from '../queries/entity-owners.ts';
import { insertRun, type RunRow } from '../queries/runs.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';
import { warnOfBudgets } from './warn-of-budgets.ts';

export type StartRunInput = {
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly trigger: RunTrigger;
  readonly reserveCents: number;
  readonly ttlSeconds: number;
  readonly tokenExpiresAt: Date;
  readonly scopes: HeldScopes;
  readonly grants: HeldGrants;
  /** Of the operator who starts it; null for agents. */
  readonly accessEpoch: number | null;
  /** The limit of running runs per agent. */
  readonly runningMax: number;
};

/**
 * Reserves budget and starts a run whose token is already issued. The token is not valid until this
 * commits, so a failure or crash at any point leaves nothing behind.
 */
export const startRun = async (
  scope: CompanyTx,
  input: StartRunInput,
  audit: CallerAuditContext,
): Promise<RunRow> => {
  const { id, agentId, trigger, reserveCents, ttlSeconds, tokenExpiresAt, scopes, grants } = input;
  const { tx, company } = await lockActiveCompany(scope, audit);
  // Serializes the starts of one agent, so that each counts the runs started before it.
  const agent = await lockAgent(tx, agentId, 'no key update');
  if (!agent) {
    throw new AppError('not_found');
  }
  assertAgentActive(agent.status);
  await assertBelowRunLimit(tx, input, audit.at);
  const month = budgetMonth(audit.at);
  await Promise.all([insertCompanyMonths(tx, [month]), insertBudgetMonth(tx, agentId, month)]);
  const reserved = { month, cents: reserveCents };
  if (!(await reserveBudget(tx, { agentId, ...reserved, ...limitsOf(agent) }))) {
    throw budgetExhausted('agent', await findAgent(tx, agentId, month), reserveCents);
  }
  if (!(await reserveCompanyBudget(tx, { ...reserved, ...limitsOf(company) }))) {
    throw budgetExhausted('company', await findCompanyDetail(tx, month), reserveCents);
  }
  const run = await insertRun(tx, {
    id,
    agentId,
    trigger,
    ttlSeconds,
    startedAt: audit.at,
    tokenExpiresAt,
    budgetMonth: month,
    reservedCents: reserveCents,
    scopes,
    grants,
    ...(sourceOf(audit.request.caller, input.accessEpoch) ?? noSource),
  });
  await insertEntityOwner(tx, 'run', id);
  await recordActivity(tx, audit, [
    {
      action: 'run.started',
      entity: ['run', id],
      detail: detailOf(input),
    },
  ]);
  await warnOfBudgets(tx, audit, { agent, company, month });
  return run;
};

const detailOf = ({ agentId, trigger, reserveCents, scopes, grants }: StartRunInput) => ({
  agentId,
  trigger,
  reserveCents,
  scopes: listScopes(scopes),
  ...(grants ? { grants: listGrants(grants) } : {}),
});

/** The token of a run starts no runs. */
const noSource = { sourceKeyId: null, sourceOperatorId: null, sourceEpoch: null };

/** Throws 409 at the limit of running runs. Lock the agent first. */
const assertBelowRunLimit = async (
  tx: CompanyTx,
  { agentId, runningMax }: Pick<StartRunInput, 'agentId' | 'runningMax'>,
  now: Date,
): Promise<void> => {
  const running = await countRunningRuns(tx, { agentId, now, max: runningMax });
  if (running >= runningMax) {
    throw new AppError(
      'run_limit',
      `At most ${runningMax} runs of an agent can be running at once.`,
    );
  }
};

const limitsOf = ({ monthlyCents, monthlyTokens }: Limits) => ({
  limitCents: monthlyCents,
  limitTokens: monthlyTokens,
});

/**
 * Includes the remaining budget, so that the caller can distinguish an oversized reservation from a spent
 * budget.
 */
const budgetExhausted = (
  of: 'agent' | 'company',
  budget: AgentDetailRow | CompanyDetailRow | null,
  reserveCents: number,
): AppError => {
  if (!budget) {
    return new AppError('budget_exhausted');
  }
  const { monthlyCents, monthlyTokens, spentCents, reservedCents, spentTokens } = budget;
  const ofCompany = of === 'company' ? ' of the company' : '';
  if (monthlyTokens !== null && remainingTokens(budget) === 0) {
    const detail = `Of ${monthlyTokens} tokens${ofCompany}, none are left this month (${spentTokens} used).`;
    return new AppError('budget_exhausted', detail, { extensions: { remainingTokens: 0 } });
  }
  const left = remainingCents(budget);
  if (left === null) {
    return new AppError('budget_exhausted');
  }
  const detail =
    `Of ${monthlyCents} cents${ofCompany}, ${left} are left this month ` +
    `(${spentCents} spent, ${reservedCents} reserved); the run reserves ${reserveCents}.`;
  return new AppError('budget_exhausted', detail, { extensions: { remainingCents: left } });
};
