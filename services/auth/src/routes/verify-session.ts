import { verifySessionContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { idleSeconds, touchEverySeconds } from '../policy/session-limits.ts';
import { findActiveSession } from '../queries/sessions.ts';

/** `POST /internal/sessions/verify` */
export const verifySessionRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(verifySessionContract, async ({ body }) => {
    const now = clock();
    const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const touch = body.touch
      ? {
          ifSeenBefore: secondsFromNow(-touchEverySeconds),
          idleEndsAt: secondsFromNow(idleSeconds),
        }
      : null;
    const row = await runGlobal(db, (tx) =>
      findActiveSession(tx, { digest: body.sessionDigest, now, touch }),
    );
    const session = row && {
      sessionId: row.id,
      operatorId: row.operator_id,
      email: row.email,
      name: row.name,
      isAdmin: row.is_admin,
      expiresAt: row.expire.toISOString(),
    };
    return reply(200, { session });
  });
