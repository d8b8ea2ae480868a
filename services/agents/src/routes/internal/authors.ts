import { describeAuthorsContract } from '@commonplace/contracts/internal';
import { lookupInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { budgetMonth } from '../../policy/runs.ts';
import { presentAgent } from '../../present/agents.ts';
import { findAgent } from '../../queries/agents.ts';
import { listNames } from '../../queries/names.ts';

export const describeAuthorsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(describeAuthorsContract, async ({ body }) => {
    const { companyId, agentId, ...ids } = body;
    const [agent, names] = await lookupInCompany(db, companyId, (tx) =>
      Promise.all([
        agentId === null ? null : findAgent(tx, agentId, budgetMonth(clock())),
        listNames(tx, ids),
      ]),
    );
    return reply(200, {
      agent: agent && presentAgent(agent),
      names: Object.fromEntries(names.map(({ id, name }) => [id, name])),
    });
  });
