import type {
  Factors,
  Operator,
  Passkey,
  Session,
  SignedInOperator,
  SignIn,
} from '@commonplace/contracts/auth';
import type { TotpRow } from '../queries/factors.ts';
import type { PasskeyRow } from '../queries/passkeys.ts';
import type { OperatorRow } from '../queries/operators.ts';
import type { SessionId } from '@commonplace/contracts/core';
import type { SessionRow } from '../queries/sessions.ts';
import type { SignInRow } from '../queries/sign-ins.ts';

/** An account as administrators see it. */
export const presentOperator = (row: OperatorRow, handoverEnd: Date | undefined): Operator => ({
  ...presentSignedIn(row),
  emailVerified: row.emailVerifiedAt !== null,
  disabled: row.disabledAt !== null,
  createdAt: row.createdAt.toISOString(),
  lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  handoverExpiresAt: handoverEnd?.toISOString() ?? null,
});

/** An account as its own operator sees it. */
export const presentSignedIn = (row: OperatorRow): SignedInOperator => ({
  id: row.id,
  email: row.email,
  name: row.name,
  isAdmin: row.isAdmin,
});

/** A session as its operator sees it. */
export const presentSession = (row: SessionRow, currentId: SessionId | null): Session => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  expiresAt: row.expire.toISOString(),
  signInMethod: row.signInMethod,
  address: row.address,
  userAgent: row.userAgent,
  current: row.id === currentId,
});

/** An entry of the sign-in history. */
export const presentSignIn = (row: SignInRow): SignIn => ({
  id: row.id,
  at: row.at.toISOString(),
  operatorId: row.operatorId,
  email: row.email,
  method: row.method,
  outcome: row.outcome,
  reason: row.reason,
  address: row.address,
  userAgent: row.userAgent,
});

/** A passkey as its operator sees it. */
export const presentPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  isBackedUp: row.isBackedUp,
});

/** The factors of an operator; an authenticator app counts once it is confirmed. */
export const presentFactors = (factors: {
  readonly totp: TotpRow | null;
  readonly recoveryCodesLeft: number;
  readonly passkeys: number;
  readonly hasPassword: boolean;
  readonly isRequired: boolean;
  readonly authenticatedAt: Date | null;
}): Factors => {
  const { totp, recoveryCodesLeft, authenticatedAt, ...rest } = factors;
  const confirmedAt = totp?.confirmedAt?.toISOString();
  return {
    totp: confirmedAt === undefined ? null : { confirmedAt, recoveryCodesLeft },
    ...rest,
    // A sign-in through a provider that does not say when it was is stored as one of 1970.
    authenticatedAt: authenticatedAt?.getTime() ? authenticatedAt.toISOString() : null,
  };
};
