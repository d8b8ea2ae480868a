import { sessionId } from '@commonplace/contracts/core';
import { listSessionsContract } from '@commonplace/contracts/auth';
import { runGlobal } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentSession } from '../present/operators.ts';
import { listActiveSessions } from '../queries/sessions.ts';

const cursor = pageCursor('sessions', sessionId);

/** `GET /api/auth/sessions` */
export const listSessionsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listSessionsContract, async ({ caller, query }) => {
    const { operatorId } = caller;
    const beforeId = cursor.read(query);
    const rows = await runGlobal(db, (tx) =>
      listActiveSessions(tx, { operatorId, now: clock(), beforeId, limit: query.limit + 1 }),
    );
    const { items, nextCursor } = cursor.page(query, rows, ({ id }) => id);
    return reply(200, {
      items: items.map((row) => presentSession(row, caller.sessionId)),
      nextCursor,
    });
  });
