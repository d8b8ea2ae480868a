import { updateAgentContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { updateAgent } from '../commands/update-agent.ts';
import { readAgent } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/agents.ts';

export const updateAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateAgentContract, async (request) => {
    const {
      params: { agentId },
      body,
      company,
    } = request;
    const audit = auditContextOf(request, clock);
    const row = await withCompany(db, company.id, async (tx) => {
      await updateAgent(tx, { agentId, changes: body }, audit);
      return readAgent(tx, agentId, audit.at);
    });
    return reply(200, presentAgent(row));
  });
