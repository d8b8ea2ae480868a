import { getAgentContract } from '@commonplace/contracts/agents';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { readAgent } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/agents.ts';

export const getAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(getAgentContract, async ({ params, company }) => {
    const row = await lookUpInCompany(db, company.id, (tx) =>
      readAgent(tx, params.agentId, clock()),
    );
    return reply(200, presentAgent(row));
  });
