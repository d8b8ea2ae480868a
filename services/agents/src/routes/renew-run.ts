import { renewRunContract } from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { prolongRun } from '../commands/prolong-run.ts';
import { readRun } from '../commands/read-run.ts';
import type { Deps } from '../deps.ts';
import { assertRunning, nextTtlSeconds } from '../policy/run-lifetime.ts';

export const renewRunRoute = (deps: Pick<Deps, 'db' | 'clock' | 'issueRunToken'>) =>
  defineRoute(renewRunContract, async (request) => {
    const {
      params: { runId },
      company,
      requestId,
    } = request;
    const doing = doingOf(request, deps.clock);
    const run = await readInCompany(deps.db, company.id, (tx) => readRun(tx, runId));
    assertRunning(run, doing.at);
    const { agentId } = run;
    const ttlSeconds = nextTtlSeconds(run, doing.at);
    const { token, expiresAt } = await deps.issueRunToken(
      { runId, agentId, companyId: company.id, ttlSeconds },
      requestId,
    );
    const renewal = { runId, agentId, tokenExpiresAt: new Date(expiresAt) };
    await withCompany(deps.db, company.id, (tx) => prolongRun(tx, renewal, doing));
    return reply(200, { token, expiresAt }, { 'Cache-Control': 'no-store' });
  });
