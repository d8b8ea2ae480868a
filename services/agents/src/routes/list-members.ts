import { listMembersContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentMember } from '../present/companies.ts';
import { listMembers } from '../queries/members.ts';

const cursor = pageCursor('members', z.tuple([z.string(), z.uuid()]));

export const listMembersRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listMembersContract, async ({ query, company }) => {
    const page = { after: cursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => listMembers(tx, page));
    const { items, nextCursor } = cursor.page(query, rows, (row) => [row.name, row.operatorId]);
    return reply(200, { items: items.map(presentMember), nextCursor });
  });
