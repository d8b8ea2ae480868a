import { AppError, newId, runId, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import {
  startRunContract,
  listCompanyRunsContract,
  listRunsContract,
  getRunContract,
  renewRunContract,
  finishRunContract,
  cancelRunContract,
} from '@commonplace/contracts/agents';
import { lookup, read, write } from '@commonplace/db';
import { defineRoute, reply, pageCursor } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { readAccessEpoch } from '../commands/check-session.ts';
import { startRun } from '../commands/start-run.ts';
import type { Deps } from '../deps.ts';
import { assertAgentActive } from '../policy/state.ts';
import { grantFolders, grantScopes, renewScopes, showGrants } from '../policy/rights.ts';
import { presentRun } from '../present/runs.ts';
import { findAgentState } from '../queries/agents.ts';
import { z } from 'zod';
import { countCompanyRuns, listCompanyRuns, listRuns } from '../queries/run-lists.ts';
import { assertAgentExists, readRun } from '../commands/read-or-not-found.ts';
import { renewRun } from '../commands/renew-run.ts';
import { assertRunning, nextTtlSeconds } from '../policy/runs.ts';
import { finishRun } from '../commands/finish-run.ts';
import { cancelRun } from '../commands/cancel-run.ts';

type RunDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'issueRunToken'
  | 'checkOperator'
  | 'runTokenTtlSeconds'
  | 'runningRunsMax'
  | 'baseUrl'
>;

/**
 * Issues the token first, for a run that does not exist yet, so the token is not valid yet. Then
 * one transaction reserves the budget and starts the run. No network call happens under a lock.
 */
export const startRunRoute = (deps: RunDeps) =>
  defineRoute(startRunContract, async (request) => {
    const {
      params: { agentId },
      body,
      caller,
      company,
      requestId,
    } = request;
    const scopes = grantScopes(caller, body.scopes);
    const grants = grantFolders(caller, body.grants);
    await assertCanStart(deps, company.id, agentId);
    const id = runId.parse(newId());
    const { trigger, reserveCents, ttlSeconds = deps.runTokenTtlSeconds } = body;
    const [accessEpoch, { token, expiresAt }] = await Promise.all([
      readAccessEpoch(deps, caller),
      deps.issueRunToken({ runId: id, agentId, companyId: company.id, ttlSeconds }, requestId),
    ]);
    const runningMax = deps.runningRunsMax;
    const input = {
      id,
      agentId,
      trigger,
      reserveCents,
      ttlSeconds,
      runningMax,
      scopes,
      grants,
      accessEpoch,
    };
    const audit = auditContextOf(request, deps.clock);
    const run = await write(deps.db, company.id, (tx) =>
      startRun(tx, { ...input, tokenExpiresAt: new Date(expiresAt) }, audit),
    );
    const env = {
      SERVICE_API_KEY: token,
      SERVICE_BASE_URL: deps.baseUrl,
      SERVICE_AGENT_ID: agentId,
      SERVICE_COMPANY_ID: company.id,
      SERVICE_RUN_ID: id,
      SERVICE_USAGE_URL: `${deps.baseUrl}/api/runs/${id}/usage`,
    };
    const response = { run: presentRun(run, audit.at), token, expiresAt, env };
    return reply(201, response, { 'Cache-Control': 'no-store' });
  });

/** Avoids issuing tokens for runs that cannot start; `startRun` checks again under its locks. */
const assertCanStart = async (
  { db }: Pick<Deps, 'db'>,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<void> => {
  const state = await read(db, companyId, (tx) => findAgentState(tx, agentId));
  if (!state) {
    throw new AppError('not_found');
  }
  assertAgentActive(state.agentStatus);
};

const companyRunsCursor = pageCursor('company-runs', z.tuple([z.iso.datetime(), z.uuid()]));

/** Lists the runs of all agents, newest first, and counts those that are running. */
export const listCompanyRunsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listCompanyRunsContract, async ({ query, company }) => {
    const now = clock();
    const page = {
      after: companyRunsCursor.read(query),
      limit: query.limit,
      status: query.status,
      agentId: query.agentId,
      since: query.since,
      until: query.until,
      now,
    };
    const [rows, running] = await read(db, company.id, (tx) =>
      Promise.all([listCompanyRuns(tx, page), countCompanyRuns(tx, now)]),
    );
    const { items, nextCursor } = companyRunsCursor.page(query, rows, (row) => [
      row.startedAt.toISOString(),
      row.id,
    ]);
    return reply(200, {
      items: items.map((row) => presentRun(showGrants(company)(row), now)),
      nextCursor,
      running,
    });
  });

const runsCursor = pageCursor('runs', z.tuple([z.iso.datetime(), z.uuid()]));

/** Lists the runs of an agent, newest first. */
export const listRunsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listRunsContract, async ({ params: { agentId }, query, company }) => {
    const page = { after: runsCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listRuns(tx, agentId, page));
    if (rows.length === 0) {
      await assertAgentExists(db, company.id, agentId);
    }
    const now = clock();
    const { items, nextCursor } = runsCursor.page(query, rows, (row) => [
      row.startedAt.toISOString(),
      row.id,
    ]);
    return reply(200, {
      items: items.map((row) => presentRun(showGrants(company)(row), now)),
      nextCursor,
    });
  });

/** Reads a run. One beyond its deadline is shown as expired before it is marked so. */
export const getRunRoute = ({ lookups, clock }: Pick<Deps, 'lookups' | 'clock'>) =>
  defineRoute(getRunContract, async ({ params, company }) => {
    const run = await lookup(lookups, company.id, (tx) => readRun(tx, params.runId));
    return reply(200, presentRun(showGrants(company)(run), clock()));
  });

/** Issues another token for a running run, with no more rights than it has. */
export const renewRunRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'issueRunToken' | 'checkOperator'>,
) =>
  defineRoute(renewRunContract, async (request) => {
    const {
      params: { runId },
      body: { scopes: requestedScopes },
      caller,
      company,
      requestId,
    } = request;
    const audit = auditContextOf(request, deps.clock);
    const run = await read(deps.db, company.id, (tx) => readRun(tx, runId));
    assertRunning(run, audit.at);
    renewScopes({ caller, held: run.scopes, requested: requestedScopes });
    const { agentId } = run;
    const ttlSeconds = nextTtlSeconds(run, audit.at);
    const [accessEpoch, { token, expiresAt }] = await Promise.all([
      readAccessEpoch(deps, caller),
      deps.issueRunToken({ runId, agentId, companyId: company.id, ttlSeconds }, requestId),
    ]);
    const tokenExpiresAt = new Date(expiresAt);
    const renewal = { runId, agentId, tokenExpiresAt, accessEpoch, requestedScopes };
    await write(deps.db, company.id, (tx) => renewRun(tx, renewal, audit));
    return reply(200, { token, expiresAt }, { 'Cache-Control': 'no-store' });
  });

/** Ends a run with its outcome and cost; the same outcome again changes nothing. */
export const finishRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(finishRunContract, async (request) => {
    const {
      params: { runId },
      body,
      company,
    } = request;
    const audit = auditContextOf(request, clock);
    const outcome = { runId, status: body.status, costCents: body.costCents, reason: body.reason };
    const run = await write(db, company.id, (tx) => finishRun(tx, outcome, audit));
    return reply(200, presentRun(showGrants(company)(run), audit.at));
  });

/** Cancels a run, whose token is refused at once. */
export const cancelRunRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(cancelRunContract, async (request) => {
    const { params, company } = request;
    const audit = auditContextOf(request, clock);
    const run = await write(db, company.id, (tx) => cancelRun(tx, params.runId, audit));
    return reply(200, presentRun(run, audit.at));
  });
