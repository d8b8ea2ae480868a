import { getSessionContract } from '@commonplace/contracts/auth';
import { listMembershipsContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';

/** So many memberships come with the session; the rest through the list of companies. */
const membershipsMax = 200;

/** `GET /api/auth/session` */
export const getSessionRoute = ({
  callAgents,
  deploymentMode,
}: Pick<Deps, 'callAgents' | 'deploymentMode'>) =>
  defineRoute(getSessionContract, async ({ caller, requestId }) => {
    const { operatorId, email, name, isAdmin, isLocal } = caller;
    const { memberships } = await callAgents(
      listMembershipsContract,
      { operatorId, isLocal, limit: membershipsMax },
      requestId,
    );
    const operator = { id: operatorId, email, name, isAdmin };
    return reply(200, { mode: deploymentMode, operator, memberships });
  });
