import { AppError, newId, runId, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import { startRunContract } from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { startRun } from '../commands/start-run.ts';
import type { Deps } from '../deps.ts';
import { assertAgentActive } from '../policy/state.ts';
import { presentRun } from '../present/credentials.ts';
import { findAgentState } from '../queries/agents.ts';

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
    const input = { id, agentId, trigger, reserveCents, ttlSeconds, runningMax };
    const audit = auditContextOf(request, deps.clock);
    const run = await withCompany(deps.db, company.id, (tx) =>
      startRun(tx, { ...input, tokenExpiresAt: new Date(expiresAt) }, audit),
    );
    const env = {
      SERVICE_API_KEY: token,
      SERVICE_BASE_URL: deps.baseUrl,
      SERVICE_AGENT_ID: agentId,
      SERVICE_COMPANY_ID: company.id,
      SERVICE_RUN_ID: id,
    };
    const response = { run: presentRun(run, audit.at), token, expiresAt, env };
    return reply(201, response, { 'Cache-Control': 'no-store' });
  });

/** Spares the auth service tokens for runs that cannot be; `startRun` judges again under its locks. */
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
