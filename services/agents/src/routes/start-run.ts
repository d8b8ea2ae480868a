import { AppError, newId, runId, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import { startRunContract } from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { beginRun } from '../commands/begin-run.ts';
import type { Deps } from '../deps.ts';
import { assertAgentActive } from '../policy/assert-agent-state.ts';
import { presentRun } from '../present/present-run.ts';
import { findAgentState } from '../queries/find-agent-state.ts';

type RunDeps = Pick<
  Deps,
  'db' | 'clock' | 'issueRunToken' | 'runTokenTtlSeconds' | 'runningRunsMax' | 'baseUrl'
>;

/**
 * The token comes first, for a run that does not exist yet and so opens nothing; then one transaction
 * reserves the budget and starts the run. No network call ever happens under a lock.
 */
export const startRunRoute = (deps: RunDeps) =>
  defineRoute(startRunContract, async (request) => {
    const {
      params: { agentId },
      body,
      company,
      requestId,
    } = request;
    await assertMayWork(deps, company.id, agentId);
    const id = runId.parse(newId());
    const { trigger, reserveCents, ttlSeconds = deps.runTokenTtlSeconds } = body;
    const { token, expiresAt } = await deps.issueRunToken(
      { runId: id, agentId, companyId: company.id, ttlSeconds },
      requestId,
    );
    const runningMax = deps.runningRunsMax;
    const order = { id, agentId, trigger, reserveCents, ttlSeconds, runningMax };
    const doing = doingOf(request, deps.clock);
    const run = await withCompany(deps.db, company.id, (tx) =>
      beginRun(tx, { ...order, tokenExpiresAt: new Date(expiresAt) }, doing),
    );
    const env = {
      SERVICE_API_KEY: token,
      SERVICE_BASE_URL: deps.baseUrl,
      SERVICE_AGENT_ID: agentId,
      SERVICE_COMPANY_ID: company.id,
      SERVICE_RUN_ID: id,
    };
    const answer = { run: presentRun(run, doing.at), token, expiresAt, env };
    return reply(201, answer, { 'Cache-Control': 'no-store' });
  });

/** Spares the auth service tokens for runs that cannot be; `beginRun` judges again under its locks. */
const assertMayWork = async (
  { db }: Pick<Deps, 'db'>,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<void> => {
  const state = await readInCompany(db, companyId, (tx) => findAgentState(tx, agentId));
  if (!state) {
    throw new AppError('not_found');
  }
  assertAgentActive(state.agentStatus);
};
