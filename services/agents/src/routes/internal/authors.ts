import { describeAuthorsContract, listColleaguesContract } from '@commonplace/contracts/internal';
import { lookup, read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { budgetMonth } from '../../policy/runs.ts';
import { presentAgent } from '../../present/agents.ts';
import { findAgent, listDirectory } from '../../queries/agents.ts';
import { listNames, type NameRow } from '../../queries/names.ts';

/** Names authors, and marks operators with an unverified email address; describes an agent where one is given. */
export const describeAuthorsRoute = ({
  lookups,
  clock,
  operatorStates,
}: Pick<Deps, 'lookups' | 'clock' | 'operatorStates'>) =>
  defineRoute(describeAuthorsContract, async ({ body }) => {
    const { companyId, agentId, ...ids } = body;
    const [agent, names] = await lookup(lookups, companyId, (tx) =>
      Promise.all([
        agentId === null ? null : findAgent(tx, agentId, budgetMonth(clock())),
        listNames(tx, ids),
      ]),
    );
    const states = await operatorStates.recall(ids.operatorIds);
    const nameOf = ({ id, name }: NameRow) =>
      states.get(id)?.isEmailVerified === false ? `${name} (unverified)` : name;
    return reply(200, {
      agent: agent && presentAgent(agent),
      names: Object.fromEntries(names.map((row) => [row.id, nameOf(row)])),
    });
  });

/** Lists who works in a company, for the notes service. */
export const listColleaguesRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listColleaguesContract, async ({ body: { companyId, limit } }) => {
    const rows = await read(db, companyId, (tx) => listDirectory(tx, { after: null, limit }));
    return reply(200, { items: rows.slice(0, limit), hasMore: rows.length > limit });
  });
