import { listOperatorsContract } from '@commonplace/contracts/auth';
import { runGlobal } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentOperator } from '../present/operators.ts';
import { listOperators } from '../queries/operators.ts';

const cursor = pageCursor('operators', z.email());

/** `GET /api/auth/operators` */
export const listOperatorsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listOperatorsContract, async ({ query }) => {
    const afterEmail = cursor.read(query);
    const rows = await runGlobal(db, (tx) =>
      listOperators(tx, { afterEmail, limit: query.limit + 1 }),
    );
    const { items, nextCursor } = cursor.page(query, rows, ({ email }) => email);
    return reply(200, { items: items.map(presentOperator), nextCursor });
  });
