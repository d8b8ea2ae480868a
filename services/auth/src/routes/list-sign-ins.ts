import { listSignInsContract } from '@commonplace/contracts/auth';
import { runGlobal } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentSignIn } from '../present/operators.ts';
import { listSignIns } from '../queries/sign-ins.ts';

const cursor = pageCursor('sign-ins', z.uuid());

/** `GET /api/auth/activity` */
export const listSignInsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listSignInsContract, async ({ caller, query }) => {
    const operatorId = caller.isAdmin ? null : caller.operatorId;
    const beforeId = cursor.read(query);
    const rows = await runGlobal(db, (tx) =>
      listSignIns(tx, { operatorId, beforeId, limit: query.limit + 1 }),
    );
    const { items, nextCursor } = cursor.page(query, rows, ({ id }) => id);
    return reply(200, { items: items.map(presentSignIn), nextCursor });
  });
