import { AppError } from '@commonplace/contracts/core';
import { revokeSession } from '@commonplace/contracts/auth';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../queries/delete-session.ts';

/** `DELETE /api/auth/sessions/{sessionId}` */
export const revokeSessionRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(revokeSession, async ({ caller, params }) => {
    const session = { operatorId: caller.operatorId, id: params.sessionId };
    if (!(await runGlobal(db, (tx) => deleteSession(tx, session)))) {
      throw new AppError('not_found', 'You have no such session.');
    }
    return reply(204);
  });
