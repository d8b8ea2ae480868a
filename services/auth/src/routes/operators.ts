import {
  listOperatorsContract,
  beginHandoverContract,
  updateOperatorContract,
  listSignInsContract,
} from '@commonplace/contracts/auth';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentOperator, presentSignIn } from '../present/operators.ts';
import { listOperators, findActingOperator, listOperatorStates } from '../queries/operators.ts';
import { updateOperator } from '../commands/update-operator.ts';
import { beginHandover } from '../commands/begin-handover.ts';
import { checkOperatorContract, describeOperatorsContract } from '@commonplace/contracts/internal';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { handoverUrl } from '../present/handovers.ts';
import { isRecentSignIn } from '../policy/session-limits.ts';
import { listHandoverEnds } from '../queries/handovers.ts';
import { listSignIns } from '../queries/sign-ins.ts';

const operatorsCursor = pageCursor('operators', z.email());

/** `GET /api/auth/operators` */
export const listOperatorsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listOperatorsContract, async ({ query }) => {
    const afterEmail = operatorsCursor.read(query);
    const { rows, ends } = await read(db, 'global', async (tx) => {
      const found = await listOperators(tx, { q: query.q, afterEmail, limit: query.limit + 1 });
      const named = { operatorIds: found.map(({ id }) => id), now: clock() };
      return { rows: found, ends: await listHandoverEnds(tx, named) };
    });
    const { items, nextCursor } = operatorsCursor.page(query, rows, ({ email }) => email);
    return reply(200, {
      items: items.map((row) => presentOperator(row, ends.get(row.id))),
      nextCursor,
    });
  });

/** `PATCH /api/auth/operators/{operatorId}` */
export const updateOperatorRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateOperatorContract, async ({ params, body, caller }) => {
    const change = { id: params.operatorId, ...body };
    const row = await updateOperator(deps, { caller }, change);
    const named = { operatorIds: [row.id], now: deps.clock() };
    const ends = await read(deps.db, 'global', (tx) => listHandoverEnds(tx, named));
    return reply(200, presentOperator(row, ends.get(row.id)));
  });

/** `POST /api/auth/operators/{operatorId}/handover` */
export const beginHandoverRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'passwords' | 'deploymentMode' | 'consoleUrl'>,
) =>
  defineRoute(beginHandoverContract, async ({ params, caller }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const handover = await beginHandover(deps, { caller }, params.operatorId);
    const { token, expiresAt, evicted } = handover;
    const url = handoverUrl(deps.consoleUrl, token);
    const body = { token, url, expiresAt: expiresAt.toISOString(), evicted };
    return reply(201, body, { 'Cache-Control': 'no-store' });
  });

/** `POST /internal/operators/describe` */
export const describeOperatorsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(describeOperatorsContract, async ({ body: { operatorIds } }) => {
    const rows = await read(db, 'global', (tx) => listOperatorStates(tx, operatorIds));
    return reply(200, {
      items: rows.map((row) => ({
        operatorId: row.id,
        isEmailVerified: row.emailVerifiedAt !== null,
        isDisabled: row.disabledAt !== null,
        canSignIn: row.canSignIn,
      })),
    });
  });

/** `POST /internal/operators/check` */
export const checkOperatorRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(checkOperatorContract, async ({ body: { operatorId, sessionId = null } }) => {
    const named = { operatorId, sessionId, now: clock() };
    const operator = await read(db, 'global', (tx) => findActingOperator(tx, named));
    return reply(200, {
      isActive: operator !== null,
      isAdministrator: operator?.isAdmin === true,
      ...(operator && { accessEpoch: operator.accessEpoch }),
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
    const rows = await read(db, 'global', (tx) => listSignIns(tx, page));
    const { items, nextCursor } = signInsCursor.page(query, rows, ({ id }) => id);
    return reply(200, { items: items.map(presentSignIn), nextCursor });
  });
