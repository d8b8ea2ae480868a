import { listAgentsContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { budgetMonth } from '../policy/runs.ts';
import { presentAgent } from '../present/agents.ts';
import { listAgents } from '../queries/agents.ts';

const cursor = pageCursor('agents', z.tuple([z.string(), z.uuid()]));

export const listAgentsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listAgentsContract, async ({ query, company }) => {
    const page = { after: cursor.read(query), limit: query.limit };
    const filter = { ...query, month: budgetMonth(clock()) };
    const rows = await readInCompany(db, company.id, (tx) => listAgents(tx, filter, page));
    const { items, nextCursor } = cursor.page(query, rows, (row) => [row.name, row.id]);
    return reply(200, { items: items.map(presentAgent), nextCursor });
  });
