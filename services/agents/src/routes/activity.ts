import { listActivityContract } from '@commonplace/contracts/agents';
import { operatorId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { showActivity } from '../policy/rights.ts';
import { presentActivity } from '../present/activity.ts';
import { listActivity } from '../queries/activity.ts';

const activityCursor = pageCursor('activity', z.tuple([z.iso.datetime(), z.uuid()]));

/** Lists the audit log, newest first. Callers who reach some folders only do not see the grants in it. */
export const listActivityRoute = ({ db, operatorStates }: Pick<Deps, 'db' | 'operatorStates'>) =>
  defineRoute(listActivityContract, async ({ query, company }) => {
    const page = { after: activityCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listActivity(tx, query, page));
    const { items, nextCursor } = activityCursor.page(query, rows, (row) => [
      row.at.toISOString(),
      row.id,
    ]);
    const operators = items.flatMap(({ actorKind, actorId }) =>
      actorKind === 'operator' && actorId !== null ? [operatorId.parse(actorId)] : [],
    );
    const states = await operatorStates.recall(operators);
    return reply(200, {
      items: items.map((row) =>
        presentActivity(showActivity(company, row), states.get(row.actorId ?? '')?.isEmailVerified),
      ),
      nextCursor,
    });
  });
