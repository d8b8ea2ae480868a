import { getInstanceContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { describeInstance } from '../commands/describe-instance.ts';
import type { Deps } from '../deps.ts';
import { presentBackup } from '../present/instance.ts';

/** `GET /api/instance` */
export const getInstanceRoute = (deps: Deps) =>
  defineRoute(getInstanceContract, async ({ requestId }) => {
    const { backup, ...state } = await describeInstance(deps, requestId);
    return reply(200, { ...state, backup: backup && presentBackup(backup) });
  });
