import type { Operator, SignedInOperator, Session, SignIn } from '@commonplace/contracts/auth';
import type { OperatorRow } from '../queries/operators.ts';
import type { SessionId } from '@commonplace/contracts/core';
import type { SessionRow } from '../queries/sessions.ts';
import type { SignInRow } from '../queries/sign-ins.ts';

/** An account as administrators see it. */
export const presentOperator = (row: OperatorRow): Operator => ({
  ...presentSignedIn(row),
  disabled: row.disabled_at !== null,
  createdAt: row.created_at.toISOString(),
  lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
});

/** An account as its own operator sees it. */
export const presentSignedIn = (row: OperatorRow): SignedInOperator => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isAdmin: row.is_admin,
});

/** A session as its operator sees it. */
export const presentSession = (row: SessionRow, currentId: SessionId | null): Session => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  expiresAt: row.expire.toISOString(),
  signInMethod: row.sign_in_method,
  address: row.address,
  userAgent: row.user_agent,
  current: row.id === currentId,
});

/** An entry of the sign-in history. */
export const presentSignIn = (row: SignInRow): SignIn => ({
  id: row.id,
  at: row.at.toISOString(),
  operatorId: row.operator_id,
  email: row.email,
  method: row.method,
  outcome: row.outcome,
  address: row.address,
  userAgent: row.user_agent,
});
