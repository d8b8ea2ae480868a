import { renewRunContract } from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { renewRun } from '../commands/renew-run.ts';
import { readRun } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { assertRunning, nextTtlSeconds } from '../policy/runs.ts';

export const renewRunRoute = (deps: Pick<Deps, 'db' | 'clock' | 'issueRunToken'>) =>
  defineRoute(renewRunContract, async (request) => {
    const {
      params: { runId },
      company,
      requestId,
    } = request;
    const audit = auditContextOf(request, deps.clock);
    const run = await readInCompany(deps.db, company.id, (tx) => readRun(tx, runId));
    assertRunning(run, audit.at);
    const { agentId } = run;
    const ttlSeconds = nextTtlSeconds(run, audit.at);
    const { token, expiresAt } = await deps.issueRunToken(
      { runId, agentId, companyId: company.id, ttlSeconds },
      requestId,
    );
    const renewal = { runId, agentId, tokenExpiresAt: new Date(expiresAt) };
    await withCompany(deps.db, company.id, (tx) => renewRun(tx, renewal, audit));
    return reply(200, { token, expiresAt }, { 'Cache-Control': 'no-store' });
  });
