import { createAgentContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { createAgent } from '../commands/create-agent.ts';
import { readAgent } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/agents.ts';

export const createAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(createAgentContract, async (request) => {
    const { body, company } = request;
    const audit = auditContextOf(request, clock);
    const row = await withCompany(db, company.id, async (tx) =>
      readAgent(tx, await createAgent(tx, body, audit), audit.at),
    );
    return reply(201, presentAgent(row));
  });
