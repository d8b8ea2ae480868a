import {
  logInContract,
  logOutContract,
  getSessionContract,
  listSessionsContract,
  revokeSessionContract,
  revokeOtherSessionsContract,
} from '@commonplace/contracts/auth';
import { defineRoute, reply, pageCursor } from '@commonplace/http';
import { checkPassword } from '../commands/check-password.ts';
import { createChallenge } from '../commands/challenges.ts';
import { endSession } from '../commands/end-session.ts';
import { needsSecondFactor } from '../commands/check-second-factor.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { assertLocalLogin } from '../policy/assert-local-login.ts';
import { presentSignedIn, presentSession } from '../present/operators.ts';
import { clientOf } from '../sessions/client-of.ts';
import { read, write } from '@commonplace/db';
import { listMembershipsContract, verifySessionContract } from '@commonplace/contracts/internal';
import { sessionId, AppError } from '@commonplace/contracts/core';
import { listActiveSessions, findActiveSession } from '../queries/sessions.ts';
import { revokeSession } from '../commands/revoke-session.ts';
import { revokeOtherSessions } from '../commands/revoke-other-sessions.ts';
import { hasSecondFactor } from '../policy/has-second-factor.ts';
import { idleSeconds, touchEverySeconds } from '../policy/session-limits.ts';

type LogInDeps = Pick<
  Deps,
  'db' | 'clock' | 'passwords' | 'sessions' | 'deploymentMode' | 'isLocalLogin'
>;

/** `POST /api/auth/login` */
export const logInRoute = (deps: LogInDeps) =>
  defineRoute(logInContract, async ({ body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    assertLocalLogin(deps);
    const client = clientOf(raw.req);
    const operator = await checkPassword(deps, { ...body, client });
    const { id: operatorId, email, sessionEpoch: epoch } = operator;
    if (await needsSecondFactor(deps, operatorId)) {
      const start = { kind: 'second_factor', operatorId, epoch, client } as const;
      const challenge = await createChallenge(deps, start);
      throw new AppError('second_factor_required', undefined, { extensions: { challenge } });
    }
    // The epoch was read with the hash: no session starts if the password has changed since.
    await deps.sessions.begin(raw, { operatorId, epoch, method: 'password' });
    await recordSignIn(deps, { operatorId, email, method: 'password', client });
    return reply(200, { operator: presentSignedIn(operator) });
  });

/** `POST /api/auth/logout` */
export const logOutRoute = ({ db, sessions, oidc }: Pick<Deps, 'db' | 'sessions' | 'oidc'>) =>
  defineRoute(logOutContract, async ({ caller, raw }) => {
    const { operatorId, sessionId: id } = caller;
    if (id === null) {
      return reply(204);
    }
    const begun = await sessions.find(raw);
    const hint = begun?.sessionId === id ? begun.provider : undefined;
    // The identity names the session, so the route ends it even without a cookie.
    await endSession(db, { operatorId, id });
    await sessions.end(raw);
    // The session has ended here, whether or not the provider responds.
    const endSessionUrl =
      oidc && hint ? await oidc.provider.endSessionUrl(hint.idToken).catch(() => null) : null;
    return endSessionUrl === null ? reply(204) : reply(200, { endSessionUrl });
  });

/** Memberships returned with the session; the list of companies has the rest. */
const membershipsMax = 200;

/** `GET /api/auth/session` */
export const getSessionRoute = ({
  callAgents,
  deploymentMode,
}: Pick<Deps, 'callAgents' | 'deploymentMode'>) =>
  defineRoute(getSessionContract, async ({ caller, requestId }) => {
    const { operatorId, email, name, isAdmin, isLocal } = caller;
    const { memberships, grantedMemberships = [] } = await callAgents(
      listMembershipsContract,
      { operatorId, isLocal, limit: membershipsMax },
      requestId,
    );
    const operator = { id: operatorId, email, name, isAdmin };
    const all = [...memberships.map((each) => ({ ...each, grants: null })), ...grantedMemberships];
    return reply(200, { mode: deploymentMode, operator, memberships: all });
  });

const sessionsCursor = pageCursor('sessions', sessionId);

/** `GET /api/auth/sessions` */
export const listSessionsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listSessionsContract, async ({ caller, query }) => {
    const { operatorId } = caller;
    const beforeId = sessionsCursor.read(query);
    const rows = await read(db, 'global', (tx) =>
      listActiveSessions(tx, { operatorId, now: clock(), beforeId, limit: query.limit + 1 }),
    );
    const { items, nextCursor } = sessionsCursor.page(query, rows, ({ id }) => id);
    return reply(200, {
      items: items.map((row) => presentSession(row, caller.sessionId)),
      nextCursor,
    });
  });

/** `DELETE /api/auth/sessions/{sessionId}` */
export const revokeSessionRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(revokeSessionContract, async ({ caller, params }) => {
    await revokeSession(deps, { caller }, params.sessionId);
    return reply(204);
  });

/** `DELETE /api/auth/sessions` */
export const revokeOtherSessionsRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(revokeOtherSessionsContract, async ({ caller }) => {
    if (caller.sessionId !== null) {
      await revokeOtherSessions(deps, { caller }, caller.sessionId);
    }
    return reply(204);
  });

/** `POST /internal/sessions/verify` */
export const verifySessionRoute = ({
  db,
  clock,
  requiresSecondFactor,
  requiredAmr,
}: Pick<Deps, 'db' | 'clock' | 'requiresSecondFactor' | 'requiredAmr'>) =>
  defineRoute(verifySessionContract, async ({ body }) => {
    const now = clock();
    const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const touch = body.touch
      ? {
          ifSeenBefore: secondsFromNow(-touchEverySeconds),
          idleEndsAt: secondsFromNow(idleSeconds),
        }
      : null;
    const open = touch ? write : read;
    const row = await open(db, 'global', (tx) =>
      findActiveSession(tx, { digest: body.sessionDigest, now, touch }),
    );
    const session = row && {
      sessionId: row.id,
      operatorId: row.operatorId,
      email: row.email,
      name: row.name,
      isAdmin: row.isAdmin,
      expiresAt: row.expire.toISOString(),
      ...(requiresSecondFactor && !hasSecondFactor(row, requiredAmr)
        ? { mustEnrol: true as const }
        : {}),
    };
    return reply(200, { session });
  });
