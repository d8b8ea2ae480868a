import {
  getConnectionContract,
  listConnectionsContract,
  revokeConnectionContract,
} from '@commonplace/contracts/agents';
import { AppError } from '@commonplace/contracts/core';
import { lookup, read, write } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { auditContextOf } from '../commands/audit.ts';
import { revokeConnection } from '../commands/revoke-connections.ts';
import type { Deps } from '../deps.ts';
import { showGrants } from '../policy/rights.ts';
import { presentConnection } from '../present/connections.ts';
import { findConnection, listConnections } from '../queries/connections.ts';

const connectionsCursor = pageCursor('connections', z.tuple([z.iso.datetime(), z.uuid()]));

/** Lists connections, newest first, with those that have ended. */
export const listConnectionsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listConnectionsContract, async ({ query, company }) => {
    const filter = { ...query, now: clock() };
    const page = { filter, after: connectionsCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listConnections(tx, page));
    const { items, nextCursor } = connectionsCursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    return reply(200, {
      items: items.map(showGrants(company)).map(presentConnection),
      nextCursor,
    });
  });

/** Reads a connection, also one that has ended. */
export const getConnectionRoute = ({ lookups }: Pick<Deps, 'lookups'>) =>
  defineRoute(getConnectionContract, async ({ params: { connectionId }, company }) => {
    const row = await lookup(lookups, company.id, (tx) => findConnection(tx, connectionId));
    if (!row) {
      throw new AppError('not_found');
    }
    return reply(200, presentConnection(showGrants(company)(row)));
  });

/** Ends a connection; viewers may end those that they consented to. */
export const revokeConnectionRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(revokeConnectionContract, async (request) => {
    const { params, company } = request;
    await write(db, company.id, (tx) =>
      revokeConnection(tx, params.connectionId, auditContextOf(request, clock)),
    );
    return reply(204);
  });
