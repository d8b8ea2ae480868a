import { getInstanceContract, listInstanceActivityContract } from '@commonplace/contracts/auth';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { describeInstance } from '../commands/describe-instance.ts';
import type { Deps } from '../deps.ts';
import { presentInstanceActivity } from '../present/instance-activity.ts';
import { presentBackup } from '../present/instance.ts';
import { listInstanceActivity } from '../queries/instance-activity.ts';

/** `GET /api/instance` */
export const getInstanceRoute = (deps: Deps) =>
  defineRoute(getInstanceContract, async ({ requestId }) => {
    const { backup, ...state } = await describeInstance(deps, requestId);
    return reply(200, { ...state, backup: backup && presentBackup(backup) });
  });

const activityCursor = pageCursor('instance-activity', z.uuid());

/** `GET /api/instance/activity` */
export const listInstanceActivityRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listInstanceActivityContract, async ({ caller, query }) => {
    const page = {
      filter: query,
      ownerId: caller.isAdmin ? null : caller.operatorId,
      beforeId: activityCursor.read(query),
      limit: query.limit + 1,
    };
    const rows = await read(db, 'global', (tx) => listInstanceActivity(tx, page));
    const { items, nextCursor } = activityCursor.page(query, rows, ({ id }) => id);
    return reply(200, { items: items.map(presentInstanceActivity), nextCursor });
  });
