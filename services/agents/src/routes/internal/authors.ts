import { describeAuthorsContract, listColleaguesContract } from '@commonplace/contracts/internal';
import { lookupInCompany, readInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { budgetMonth } from '../../policy/runs.ts';
import { presentAgent } from '../../present/agents.ts';
import { findAgent, listDirectory } from '../../queries/agents.ts';
import { listNames } from '../../queries/names.ts';

export const describeAuthorsRoute = ({ lookups, clock }: Pick<Deps, 'lookups' | 'clock'>) =>
  defineRoute(describeAuthorsContract, async ({ body }) => {
    const { companyId, agentId, ...ids } = body;
    const [agent, names] = await lookupInCompany(lookups, companyId, (tx) =>
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

/** Lists who works in a company, for the notes service. */
export const listColleaguesRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listColleaguesContract, async ({ body: { companyId, limit } }) => {
    const rows = await readInCompany(db, companyId, (tx) =>
      listDirectory(tx, { after: null, limit }),
    );
    return reply(200, { items: rows.slice(0, limit), hasMore: rows.length > limit });
  });
