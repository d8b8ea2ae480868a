import { AppError } from '@commonplace/contracts/core';
import { revokeSessionContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { asOperator } from '../commands/as-operator.ts';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../queries/session-deletions.ts';

/** `DELETE /api/auth/sessions/{sessionId}` */
export const revokeSessionRoute = (deps: Pick<Deps, 'db' | 'clock' | 'sessions'>) =>
  defineRoute(revokeSessionContract, async ({ caller, params, raw }) => {
    const session = { operatorId: caller.operatorId, id: params.sessionId };
    const acting = { caller, raw, as: 'oneself' } as const;
    if (!(await asOperator(deps, acting, (tx) => deleteSession(tx, session)))) {
      throw new AppError('not_found', 'You have no such session.');
    }
    return reply(204);
  });
