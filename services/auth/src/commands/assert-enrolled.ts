import { AppError, type OperatorId, type SessionId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { hasSecondFactor } from '../policy/has-second-factor.ts';
import { findSignInProof } from '../queries/sessions.ts';

/**
 * Throws 403 where a second factor is required and a session has none: for public routes, on which
 * the gateway does not check sessions. 401 `session_expired` if the session has ended.
 */
export const assertEnrolled = async (
  {
    db,
    requiresSecondFactor,
    requiredAmr,
  }: Pick<Deps, 'db' | 'requiresSecondFactor' | 'requiredAmr'>,
  { operatorId, sessionId: id }: { readonly operatorId: OperatorId; readonly sessionId: SessionId },
): Promise<void> => {
  if (!requiresSecondFactor) {
    return;
  }
  const proof = await read(db, 'global', (tx) =>
    findSignInProof(tx, { id, operatorId, issuer: null }),
  );
  if (!proof) {
    throw new AppError('session_expired');
  }
  if (!hasSecondFactor(proof, requiredAmr)) {
    throw new AppError('second_factor_enrolment_required');
  }
};
