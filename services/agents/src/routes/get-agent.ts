import { getAgentContract } from '@commonplace/contracts/agents';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { readAgent } from '../commands/read-agent.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/present-agent.ts';

export const getAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(getAgentContract, async ({ params, company }) => {
    const row = await lookUpInCompany(db, company.id, (tx) =>
      readAgent(tx, params.agentId, clock()),
    );
    return reply(200, presentAgent(row));
  });
