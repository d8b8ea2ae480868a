import {
  createInviteContract,
  listInvitesContract,
  deleteInviteContract,
} from '@commonplace/contracts/agents';
import { read, write } from '@commonplace/db';
import { defineRoute, reply, pageCursor } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { checkSession } from '../commands/check-session.ts';
import { createInvite } from '../commands/create-invite.ts';
import { mayInvite } from '../commands/read-active-invite.ts';
import { requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import type { Deps } from '../deps.ts';
import { assertInvitesEnabled } from '../policy/state.ts';
import { presentInvite } from '../present/companies.ts';
import { z } from 'zod';
import { listInvites } from '../queries/invites.ts';
import { deleteInvite } from '../commands/delete-invite.ts';
import { findEndedInviters } from '../commands/find-ended-inviters.ts';

/** Creates an invite, and returns its token this one time. For an owner the caller has to have signed in recently. */
export const createInviteRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'mode' | 'baseUrl' | 'checkOperator'>,
) =>
  defineRoute(createInviteContract, async (request) => {
    const { body, caller, company } = request;
    assertInvitesEnabled(deps.mode);
    const check = body.role === 'owner' ? requireRecentSignIn : checkSession;
    const { accessEpoch: inviterEpoch = null } = await check(deps, caller);
    const endedInviters = await findEndedInviters(deps, company.id);
    const input = { ...body, invitedBy: caller.operatorId, inviterEpoch, endedInviters };
    const { invite, token } = await write(deps.db, company.id, (tx) =>
      createInvite(tx, input, auditContextOf(request, deps.clock)),
    );
    // Browsers do not send the fragment, so the token appears in no server log and no Referer.
    const url = `${deps.baseUrl}/invite#token=${token}`;
    const response = { ...presentInvite(invite), token, url };
    return reply(201, response, { 'Cache-Control': 'no-store' });
  });

const invitesCursor = pageCursor('invites', z.tuple([z.iso.datetime(), z.uuid()]));

/**
 * Invites of creators who were disabled, or who lost their account, cannot be accepted and are left out, so a
 * page may be shorter than its limit. Their state is in the auth service, and they are few.
 */
export const listInvitesRoute = (deps: Pick<Deps, 'db' | 'clock' | 'mode' | 'checkOperator'>) =>
  defineRoute(listInvitesContract, async ({ query, company }) => {
    const { db, clock } = deps;
    assertInvitesEnabled(deps.mode);
    const page = { after: invitesCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listInvites(tx, clock(), page));
    const { items, nextCursor } = invitesCursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    const isOpen = await Promise.all(items.map((invite) => mayInvite(deps, invite)));
    const open = items.filter((_, index) => isOpen[index]);
    return reply(200, { items: open.map(presentInvite), nextCursor });
  });

/** Deletes an invite, so that its token is worth nothing. */
export const deleteInviteRoute = ({ db, clock, mode }: Pick<Deps, 'db' | 'clock' | 'mode'>) =>
  defineRoute(deleteInviteContract, async (request) => {
    const { params, company } = request;
    assertInvitesEnabled(mode);
    await write(db, company.id, (tx) =>
      deleteInvite(tx, params.inviteId, auditContextOf(request, clock)),
    );
    return reply(204);
  });
