import { revokeOtherSessionsContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { revokeOtherSessions } from '../commands/revoke-other-sessions.ts';
import type { Deps } from '../deps.ts';

/** `DELETE /api/auth/sessions` */
export const revokeOtherSessionsRoute = (deps: Pick<Deps, 'db' | 'clock' | 'sessions'>) =>
  defineRoute(revokeOtherSessionsContract, async ({ caller, raw }) => {
    if (caller.sessionId !== null) {
      await revokeOtherSessions(deps, { caller, raw }, caller.sessionId);
    }
    return reply(204);
  });
