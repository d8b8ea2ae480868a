import { logOutContract } from '@commonplace/contracts/auth';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { deleteSession } from '../queries/session-deletions.ts';

/** `POST /api/auth/logout` */
export const logOutRoute = ({ db, sessions }: Pick<Deps, 'db' | 'sessions'>) =>
  defineRoute(logOutContract, async ({ caller, raw }) => {
    const { operatorId, sessionId: id } = caller;
    if (id !== null) {
      // The identity says whose session it is, and is believed even where no cookie came with it.
      await runGlobal(db, (tx) => deleteSession(tx, { operatorId, id }));
      await sessions.end(raw);
    }
    return reply(204);
  });
