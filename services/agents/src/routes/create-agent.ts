import { createAgentContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { addAgent } from '../commands/add-agent.ts';
import { readAgent } from '../commands/read-agent.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/present-agent.ts';

export const createAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(createAgentContract, async (request) => {
    const { body, company } = request;
    const doing = doingOf(request, clock);
    const row = await withCompany(db, company.id, async (tx) =>
      readAgent(tx, await addAgent(tx, body, doing), doing.at),
    );
    return reply(201, presentAgent(row));
  });
