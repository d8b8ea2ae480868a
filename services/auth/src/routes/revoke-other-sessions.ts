import { revokeOtherSessions } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { endOtherSessions } from '../commands/end-other-sessions.ts';
import type { Deps } from '../deps.ts';

/** `DELETE /api/auth/sessions` */
export const revokeOtherSessionsRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(revokeOtherSessions, async ({ caller }) => {
    const { operatorId, sessionId } = caller;
    if (sessionId !== null) {
      await endOtherSessions(deps, { operatorId, keptId: sessionId });
    }
    return reply(204);
  });
