import {
  listMembersContract,
  updateMemberContract,
  removeMemberContract,
} from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentMember } from '../present/companies.ts';
import { listMembers } from '../queries/members.ts';
import { auditContextOf } from '../commands/audit.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';
import { requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import { updateMember, removeMember } from '../commands/update-member.ts';

const membersCursor = pageCursor('members', z.tuple([z.string(), z.uuid()]));

export const listMembersRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listMembersContract, async ({ query, company }) => {
    const page = { after: membersCursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => listMembers(tx, page));
    const { items, nextCursor } = membersCursor.page(query, rows, (row) => [
      row.name,
      row.operatorId,
    ]);
    return reply(200, { items: items.map(presentMember), nextCursor });
  });

export const updateMemberRoute = (deps: Pick<Deps, 'db' | 'clock' | 'log' | 'checkOperator'>) =>
  defineRoute(updateMemberContract, async (request) => {
    const { params, body, caller, company } = request;
    const { db, clock } = deps;
    if (body.role === 'owner') {
      await requireRecentSignIn(deps, caller);
    }
    const change = { operatorId: params.operatorId, role: body.role };
    const row = await withCompany(db, company.id, (tx) =>
      updateMember(tx, change, auditContextOf(request, clock)),
    );
    await cancelFirstRuns(deps, company.id, 'source');
    return reply(200, presentMember(row));
  });

export const removeMemberRoute = (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
  defineRoute(removeMemberContract, async (request) => {
    const { params, company } = request;
    await withCompany(deps.db, company.id, (tx) =>
      removeMember(tx, params.operatorId, auditContextOf(request, deps.clock)),
    );
    await cancelFirstRuns(deps, company.id, 'source');
    return reply(204);
  });
