import { AppError, newId, type OperatorId, type SessionId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { identitiesMax } from '../policy/identity-limits.ts';
import { insertIdentity, listIdentities } from '../queries/identities.ts';
import { lockOperator } from '../queries/operators.ts';
import { lockActiveSession } from '../queries/sessions.ts';
import { trustAccountChange } from './as-operator.ts';
import { ownActivity, recordActivity } from './record-activity.ts';
import { verifyEmailIn } from './record-verified-email.ts';
import { assertRecentSignIn } from './require-recent-sign-in.ts';

type LinkingSession = { readonly operatorId: OperatorId; readonly sessionId: SessionId };

/**
 * Links an identity to the operator who began to link it. The browser does not send the session with
 * the navigation from the provider, so the attempt names it; it must be active and its sign-in recent.
 */
export const linkIdentity = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { operatorId, sessionId }: LinkingSession,
  proven: ProvenIdentity,
): Promise<void> =>
  write(db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the session of the attempt is checked here');
    const now = clock();
    const operator = await lockOperator(tx, operatorId);
    if (!operator || !(await lockActiveSession(tx, { id: sessionId, operatorId, now }))) {
      throw new AppError('session_expired');
    }
    await assertRecentSignIn(tx, { operatorId, sessionId, isLocal: false }, now);
    const own = await listIdentities(tx, operatorId);
    const { issuer, subject, email } = proven;
    if (own.some((row) => row.issuer === issuer && row.subject === subject)) {
      return;
    }
    if (own.length >= identitiesMax) {
      throw new AppError('identity_limit');
    }
    const row = { id: newId(), operatorId, issuer, subject, email, createdAt: now };
    if (!(await insertIdentity(tx, row))) {
      throw new AppError('identity_linked');
    }
    const caller = { operatorId, email: operator.email };
    const detail = { issuer, subject };
    await recordActivity(tx, ownActivity(caller, { action: 'identity.linked', at: now, detail }));
    await verifyEmailIn(tx, operator, { proven, at: now });
  });
