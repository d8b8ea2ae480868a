import {
  createInviteContract,
  listInvitesContract,
  deleteInviteContract,
} from '@commonplace/contracts/agents';
import { withCompany, readInCompany } from '@commonplace/db';
import { defineRoute, reply, pageCursor } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { checkSession } from '../commands/check-session.ts';
import { createInvite } from '../commands/create-invite.ts';
import { requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import type { Deps } from '../deps.ts';
import { assertInvitesEnabled } from '../policy/state.ts';
import { presentInvite } from '../present/companies.ts';
import { z } from 'zod';
import { listInvites } from '../queries/invites.ts';
import { deleteInvite } from '../commands/delete-invite.ts';

export const createInviteRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'mode' | 'baseUrl' | 'checkOperator'>,
) =>
  defineRoute(createInviteContract, async (request) => {
    const { body, caller, company } = request;
    assertInvitesEnabled(deps.mode);
    const check = body.role === 'owner' ? requireRecentSignIn : checkSession;
    const { accessEpoch: inviterEpoch = null } = await check(deps, caller);
    const input = { ...body, invitedBy: caller.operatorId, inviterEpoch };
    const { invite, token } = await withCompany(deps.db, company.id, (tx) =>
      createInvite(tx, input, auditContextOf(request, deps.clock)),
    );
    // Browsers do not send the fragment, so the token appears in no server log and no Referer.
    const url = `${deps.baseUrl}/invite#token=${token}`;
    const response = { ...presentInvite(invite), token, url };
    return reply(201, response, { 'Cache-Control': 'no-store' });
  });

const invitesCursor = pageCursor('invites', z.tuple([z.iso.datetime(), z.uuid()]));

export const listInvitesRoute = ({ db, clock, mode }: Pick<Deps, 'db' | 'clock' | 'mode'>) =>
  defineRoute(listInvitesContract, async ({ query, company }) => {
    assertInvitesEnabled(mode);
    const page = { after: invitesCursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => listInvites(tx, clock(), page));
    const { items, nextCursor } = invitesCursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map(presentInvite), nextCursor });
  });

export const deleteInviteRoute = ({ db, clock, mode }: Pick<Deps, 'db' | 'clock' | 'mode'>) =>
  defineRoute(deleteInviteContract, async (request) => {
    const { params, company } = request;
    assertInvitesEnabled(mode);
    await withCompany(db, company.id, (tx) =>
      deleteInvite(tx, params.inviteId, auditContextOf(request, clock)),
    );
    return reply(204);
  });
