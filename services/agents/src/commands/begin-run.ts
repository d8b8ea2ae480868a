import { AppError, type AgentId, type RunId } from '@commonplace/contracts/core';
import { remainingCents, type RunTrigger } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { assertAgentActive } from '../policy/assert-agent-state.ts';
import { budgetMonth } from '../policy/budget-month.ts';
import { countRunningRuns } from '../queries/count-running-runs.ts';
import { findAgent } from '../queries/find-agent.ts';
import { insertBudgetMonth } from '../queries/insert-budget-month.ts';
import { insertEntityOwner } from '../queries/insert-entity-owner.ts';
import { insertRun } from '../queries/insert-run.ts';
import { lockAgent } from '../queries/lock-agent.ts';
import { reserveBudget } from '../queries/reserve-budget.ts';
import type { RunRow } from '../queries/run-row.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

export type RunOrder = {
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly trigger: RunTrigger;
  readonly reserveCents: number;
  readonly ttlSeconds: number;
  readonly tokenExpiresAt: Date;
  /** Runs of the agent that may go on at once. */
  readonly runningMax: number;
};

/**
 * Reserves budget and starts a run whose token has been issued already. Until this commits, the token
 * opens nothing; so whatever fails, wherever it is killed, nothing is left behind.
 */
export const beginRun = async (
  scope: CompanyTx,
  order: RunOrder,
  doing: CallerDoing,
): Promise<RunRow> => {
  const { id, agentId, trigger, reserveCents, ttlSeconds, tokenExpiresAt } = order;
  const { tx } = await openCompany(scope, doing);
  // Starts of one agent come one after the other: each counts the runs of those before it.
  const agent = await lockAgent(tx, agentId, 'no key update');
  if (!agent) {
    throw new AppError('not_found');
  }
  assertAgentActive(agent.status);
  await assertRoomForRun(tx, order, doing.at);
  const month = budgetMonth(doing.at);
  await insertBudgetMonth(tx, agentId, month);
  const limitCents = agent.monthlyCents;
  if (!(await reserveBudget(tx, { agentId, month, cents: reserveCents, limitCents }))) {
    throw await budgetExhausted(tx, order, month);
  }
  const run = await insertRun(tx, {
    id,
    agentId,
    trigger,
    ttlSeconds,
    startedAt: doing.at,
    tokenExpiresAt,
    budgetMonth: month,
    reservedCents: reserveCents,
  });
  await insertEntityOwner(tx, 'run', id);
  await recordActivity(tx, doing, [
    { action: 'run.started', entity: ['run', id], detail: { agentId, trigger, reserveCents } },
  ]);
  return run;
};

/** An agent has a limited number of running runs (409). Lock the agent first. */
const assertRoomForRun = async (
  tx: CompanyTx,
  { agentId, runningMax }: Pick<RunOrder, 'agentId' | 'runningMax'>,
  now: Date,
): Promise<void> => {
  const running = await countRunningRuns(tx, { agentId, now, max: runningMax });
  if (running >= runningMax) {
    throw new AppError('run_limit', `At most ${runningMax} runs of an agent go on at once.`);
  }
};

/** Says what is left, so that the caller can tell a reservation too large from a budget used up. */
const budgetExhausted = async (
  tx: CompanyTx,
  { agentId, reserveCents }: RunOrder,
  month: string,
): Promise<AppError> => {
  const agent = await findAgent(tx, agentId, month);
  const left = agent && remainingCents(agent);
  if (!agent || left === null) {
    return new AppError('budget_exhausted');
  }
  const detail =
    `Of ${agent.monthlyCents} cents, ${left} are left this month ` +
    `(${agent.spentCents} spent, ${agent.reservedCents} reserved); the run reserves ${reserveCents}.`;
  return new AppError('budget_exhausted', detail, { extensions: { remainingCents: left } });
};
