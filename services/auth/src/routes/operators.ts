import {
  listOperatorsContract,
  updateOperatorContract,
  listSignInsContract,
} from '@commonplace/contracts/auth';
import { runGlobal } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentOperator, presentSignIn } from '../present/operators.ts';
import { listOperators, findActingOperator } from '../queries/operators.ts';
import { updateOperator } from '../commands/update-operator.ts';
import { checkOperatorContract } from '@commonplace/contracts/internal';
import { isRecentSignIn } from '../policy/session-limits.ts';
import { listSignIns } from '../queries/sign-ins.ts';

const operatorsCursor = pageCursor('operators', z.email());

/** `GET /api/auth/operators` */
export const listOperatorsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listOperatorsContract, async ({ query }) => {
    const afterEmail = operatorsCursor.read(query);
    const rows = await runGlobal(db, (tx) =>
      listOperators(tx, { afterEmail, limit: query.limit + 1 }),
    );
    const { items, nextCursor } = operatorsCursor.page(query, rows, ({ email }) => email);
    return reply(200, { items: items.map(presentOperator), nextCursor });
  });

/** `PATCH /api/auth/operators/{operatorId}` */
export const updateOperatorRoute = (deps: Pick<Deps, 'db' | 'clock' | 'sessions'>) =>
  defineRoute(updateOperatorContract, async ({ params, body, caller, raw }) => {
    const change = { id: params.operatorId, ...body };
    return reply(200, presentOperator(await updateOperator(deps, { caller, raw }, change)));
  });

/** `POST /internal/operators/check` */
export const checkOperatorRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(checkOperatorContract, async ({ body: { operatorId, sessionId = null } }) => {
    const named = { operatorId, sessionId, now: clock() };
    const operator = await runGlobal(db, (tx) => findActingOperator(tx, named));
    return reply(200, {
      isActive: operator !== null,
      isAdministrator: operator?.isAdmin === true,
      hasRecentSignIn: isRecentSignIn(operator?.authenticatedAt ?? null, named.now),
    });
  });

const signInsCursor = pageCursor('sign-ins', z.uuid());

/** `GET /api/auth/activity` */
export const listSignInsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listSignInsContract, async ({ caller, query }) => {
    const page = {
      filter: query,
      ownerId: caller.isAdmin ? null : caller.operatorId,
      beforeId: signInsCursor.read(query),
      limit: query.limit + 1,
    };
    const rows = await runGlobal(db, (tx) => listSignIns(tx, page));
    const { items, nextCursor } = signInsCursor.page(query, rows, ({ id }) => id);
    return reply(200, { items: items.map(presentSignIn), nextCursor });
  });
