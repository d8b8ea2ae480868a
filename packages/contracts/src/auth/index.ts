import type { RouteContract } from '../route-contract.ts';
import { acceptInviteContract } from './accept-invite.ts';
import { changePasswordContract } from './change-password.ts';
import { backchannelLogoutContract, finishOidcSignInContract } from './finish-oidc-sign-in.ts';
import { decideConsentContract, getConsentContract } from './consent.ts';
import { describeInviteContract } from './describe-invite.ts';
import { getInstanceContract } from './get-instance.ts';
import { getSessionContract } from './get-session.ts';
import { getSignInOptionsContract } from './get-sign-in-options.ts';
import { acceptHandoverContract, beginHandoverContract } from './handovers.ts';
import { listIdentitiesContract, unlinkIdentityContract } from './identities.ts';
import { listInstanceActivityContract } from './instance-activity.ts';
import { listOperatorsContract } from './list-operators.ts';
import { listSessionsContract } from './list-sessions.ts';
import { listSignInsContract } from './list-sign-ins.ts';
import { logInContract } from './log-in.ts';
import { logOutContract } from './log-out.ts';
import {
  createPasskeyContract,
  createPasskeyOptionsContract,
  deletePasskeyContract,
  listPasskeysContract,
  logInWithPasskeyContract,
  logInWithPasskeyOptionsContract,
  updatePasskeyContract,
} from './passkeys.ts';
import { reauthenticateContract } from './reauthenticate.ts';
import { revokeOtherSessionsContract } from './revoke-other-sessions.ts';
import { revokeSessionContract } from './revoke-session.ts';
import {
  confirmTotpContract,
  createTotpContract,
  deleteTotpContract,
  getFactorsContract,
  logInWithSecondFactorContract,
} from './second-factor.ts';
import { setUpContract } from './set-up.ts';
import {
  linkIdentityContract,
  startInviteSignInContract,
  startOidcSignInContract,
} from './start-oidc-sign-in.ts';
import { updateOperatorContract } from './update-operator.ts';

export * from './accept-invite.ts';
export * from './change-password.ts';
export * from './connect-protocol.ts';
export * from './consent.ts';
export * from './describe-invite.ts';
export * from './finish-oidc-sign-in.ts';
export * from './get-instance.ts';
export * from './get-session.ts';
export * from './get-sign-in-options.ts';
export * from './handovers.ts';
export * from './identities.ts';
export * from './instance-activity.ts';
export * from './list-operators.ts';
export * from './list-sessions.ts';
export * from './list-sign-ins.ts';
export * from './log-in.ts';
export * from './log-out.ts';
export * from './operator.ts';
export * from './passkeys.ts';
export * from './password.ts';
export * from './reauthenticate.ts';
export * from './revoke-other-sessions.ts';
export * from './revoke-session.ts';
export * from './second-factor.ts';
export * from './session.ts';
export * from './set-up.ts';
export * from './sign-in.ts';
export * from './start-oidc-sign-in.ts';
export * from './update-operator.ts';

/** Every public route of the auth service. */
export const authRoutes: readonly RouteContract[] = [
  getSignInOptionsContract,
  logInContract,
  logInWithSecondFactorContract,
  logInWithPasskeyOptionsContract,
  logInWithPasskeyContract,
  startOidcSignInContract,
  finishOidcSignInContract,
  backchannelLogoutContract,
  logOutContract,
  getSessionContract,
  listSessionsContract,
  revokeSessionContract,
  revokeOtherSessionsContract,
  changePasswordContract,
  reauthenticateContract,
  getFactorsContract,
  createTotpContract,
  confirmTotpContract,
  deleteTotpContract,
  createPasskeyOptionsContract,
  createPasskeyContract,
  listPasskeysContract,
  updatePasskeyContract,
  deletePasskeyContract,
  setUpContract,
  describeInviteContract,
  acceptInviteContract,
  startInviteSignInContract,
  listIdentitiesContract,
  linkIdentityContract,
  unlinkIdentityContract,
  listOperatorsContract,
  updateOperatorContract,
  beginHandoverContract,
  acceptHandoverContract,
  listInstanceActivityContract,
  listSignInsContract,
  getInstanceContract,
  getConsentContract,
  decideConsentContract,
];
