import type { Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import {
  acceptHandoverRoute,
  acceptInviteRoute,
  changePasswordRoute,
  reauthenticateRoute,
  setUpRoute,
} from './accounts.ts';
import {
  checkOperatorRoute,
  describeOperatorsRoute,
  beginHandoverRoute,
  listOperatorsRoute,
  listSignInsRoute,
  updateOperatorRoute,
} from './operators.ts';
import {
  getSessionRoute,
  listSessionsRoute,
  logInRoute,
  logOutRoute,
  revokeOtherSessionsRoute,
  revokeSessionRoute,
  verifySessionRoute,
} from './sessions.ts';
import {
  createPasskeyOptionsRoute,
  createPasskeyRoute,
  deletePasskeyRoute,
  listPasskeysRoute,
  logInWithPasskeyOptionsRoute,
  logInWithPasskeyRoute,
  updatePasskeyRoute,
} from './passkeys.ts';
import {
  confirmTotpRoute,
  createTotpRoute,
  deleteTotpRoute,
  getFactorsRoute,
  logInWithSecondFactorRoute,
} from './second-factor.ts';
import { describeInviteRoute } from './describe-invite.ts';
import { linkIdentityRoute, listIdentitiesRoute, unlinkIdentityRoute } from './identities.ts';
import {
  backchannelLogoutRoute,
  finishOidcSignInRoute,
  getSignInOptionsRoute,
  startInviteSignInRoute,
  startOidcSignInRoute,
} from './oidc.ts';
import { getInstanceRoute, listInstanceActivityRoute } from './instance.ts';
import { connectRoutes } from './connect.ts';
import { decideConsentRoute, getConsentRoute } from './consent.ts';
import { issueRunTokenRoute } from './run-tokens.ts';

/** Every route of the auth service. */
export const routes = (deps: Deps): readonly Route[] => [
  getSignInOptionsRoute(deps),
  logInRoute(deps),
  logInWithSecondFactorRoute(deps),
  logInWithPasskeyOptionsRoute(deps),
  logInWithPasskeyRoute(deps),
  startOidcSignInRoute(deps),
  finishOidcSignInRoute(deps),
  backchannelLogoutRoute(deps),
  logOutRoute(deps),
  getSessionRoute(deps),
  listSessionsRoute(deps),
  revokeSessionRoute(deps),
  revokeOtherSessionsRoute(deps),
  changePasswordRoute(deps),
  reauthenticateRoute(deps),
  getFactorsRoute(deps),
  createTotpRoute(deps),
  confirmTotpRoute(deps),
  deleteTotpRoute(deps),
  createPasskeyOptionsRoute(deps),
  createPasskeyRoute(deps),
  listPasskeysRoute(deps),
  updatePasskeyRoute(deps),
  deletePasskeyRoute(deps),
  setUpRoute(deps),
  describeInviteRoute(deps),
  acceptInviteRoute(deps),
  acceptHandoverRoute(deps),
  startInviteSignInRoute(deps),
  listIdentitiesRoute(deps),
  linkIdentityRoute(deps),
  unlinkIdentityRoute(deps),
  listOperatorsRoute(deps),
  updateOperatorRoute(deps),
  beginHandoverRoute(deps),
  listSignInsRoute(deps),
  getInstanceRoute(deps),
  listInstanceActivityRoute(deps),
  getConsentRoute(deps),
  decideConsentRoute(deps),
  ...connectRoutes(deps),
  verifySessionRoute(deps),
  issueRunTokenRoute(deps),
  checkOperatorRoute(deps),
  describeOperatorsRoute(deps),
];
