import { updateAgentContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { changeAgent } from '../commands/change-agent.ts';
import { readAgent } from '../commands/read-agent.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/present-agent.ts';

export const updateAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateAgentContract, async (request) => {
    const {
      params: { agentId },
      body,
      company,
    } = request;
    const doing = doingOf(request, clock);
    const row = await withCompany(db, company.id, async (tx) => {
      await changeAgent(tx, { agentId, changes: body }, doing);
      return readAgent(tx, agentId, doing.at);
    });
    return reply(200, presentAgent(row));
  });
