import {
  listMembersContract,
  updateMemberContract,
  removeMemberContract,
} from '@commonplace/contracts/agents';
import { read, write } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { showGrants } from '../policy/rights.ts';
import { presentMember } from '../present/companies.ts';
import { listMembers } from '../queries/members.ts';
import { auditContextOf } from '../commands/audit.ts';
import { findUnusableOwners } from '../commands/find-unusable-owners.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';
import { requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import { updateMember, removeMember } from '../commands/update-member.ts';

const membersCursor = pageCursor('members', z.tuple([z.string(), z.uuid()]));

/** Lists members by name, and says whose email address is not verified. */
export const listMembersRoute = ({ db, operatorStates }: Pick<Deps, 'db' | 'operatorStates'>) =>
  defineRoute(listMembersContract, async ({ query, company }) => {
    const page = { after: membersCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listMembers(tx, query.q, page));
    const { items, nextCursor } = membersCursor.page(query, rows, (row) => [
      row.name,
      row.operatorId,
    ]);
    const states = await operatorStates.recall(items.map(({ operatorId }) => operatorId));
    return reply(200, {
      items: items
        .map(showGrants(company))
        .map((row) => presentMember(row, states.get(row.operatorId)?.isEmailVerified)),
      nextCursor,
    });
  });

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'operatorStates'>;

/** Changes a role, or the folders of a viewer. To make an owner the caller has to have signed in recently. */
export const updateMemberRoute = (deps: ChangeDeps & Pick<Deps, 'checkOperator'>) =>
  defineRoute(updateMemberContract, async (request) => {
    const { params, body, caller, company } = request;
    const { db, clock } = deps;
    if (body.role === 'owner') {
      await requireRecentSignIn(deps, caller);
    }
    const isLowered = body.role !== undefined && body.role !== 'owner';
    const unusable = isLowered ? await findUnusableOwners(deps, company.id) : [];
    const change = { operatorId: params.operatorId, changes: body, unusable };
    const row = await write(db, company.id, (tx) =>
      updateMember(tx, change, auditContextOf(request, clock)),
    );
    await cancelFirstRuns(deps, company.id, 'source');
    const states = await deps.operatorStates.recall([row.operatorId]);
    return reply(200, presentMember(row, states.get(row.operatorId)?.isEmailVerified));
  });

/** Removes a member, unless no owner who can sign in would be left. Cancels the runs that it started. */
export const removeMemberRoute = (deps: ChangeDeps) =>
  defineRoute(removeMemberContract, async (request) => {
    const { params, company } = request;
    const { db, clock } = deps;
    const unusable = await findUnusableOwners(deps, company.id);
    const removal = { operatorId: params.operatorId, unusable };
    await write(db, company.id, (tx) => removeMember(tx, removal, auditContextOf(request, clock)));
    await cancelFirstRuns(deps, company.id, 'source');
    return reply(204);
  });
