import { listInvitesContract } from '@commonplace/contracts/agents';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { assertInvitesEnabled } from '../policy/state.ts';
import { presentInvite } from '../present/companies.ts';
import { listInvites } from '../queries/invites.ts';

const cursor = pageCursor('invites', z.tuple([z.iso.datetime(), z.uuid()]));

export const listInvitesRoute = ({ db, clock, mode }: Pick<Deps, 'db' | 'clock' | 'mode'>) =>
  defineRoute(listInvitesContract, async ({ query, company }) => {
    assertInvitesEnabled(mode);
    const page = { after: cursor.read(query), limit: query.limit };
    const rows = await readInCompany(db, company.id, (tx) => listInvites(tx, clock(), page));
    const { items, nextCursor } = cursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return reply(200, { items: items.map(presentInvite), nextCursor });
  });
