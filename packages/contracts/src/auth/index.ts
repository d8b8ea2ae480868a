import type { RouteContract } from '../route-contract.ts';
import { acceptInvite } from './accept-invite.ts';
import { changePassword } from './change-password.ts';
import { getSession } from './get-session.ts';
import { listOperators } from './list-operators.ts';
import { listSessions } from './list-sessions.ts';
import { listSignIns } from './list-sign-ins.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { revokeOtherSessions } from './revoke-other-sessions.ts';
import { revokeSession } from './revoke-session.ts';
import { setUp } from './set-up.ts';
import { updateOperator } from './update-operator.ts';

export * from './accept-invite.ts';
export * from './change-password.ts';
export * from './get-session.ts';
export * from './list-operators.ts';
export * from './list-sessions.ts';
export * from './list-sign-ins.ts';
export * from './log-in.ts';
export * from './log-out.ts';
export * from './operator.ts';
export * from './password.ts';
export * from './revoke-other-sessions.ts';
export * from './revoke-session.ts';
export * from './session.ts';
export * from './set-up.ts';
export * from './sign-in.ts';
export * from './update-operator.ts';

/** Every public route of the auth service. */
export const authRoutes: readonly RouteContract[] = [
  logIn,
  logOut,
  getSession,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  changePassword,
  setUp,
  acceptInvite,
  listOperators,
  updateOperator,
  listSignIns,
];
