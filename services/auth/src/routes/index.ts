import type { Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import {
  acceptInviteRoute,
  changePasswordRoute,
  reauthenticateRoute,
  setUpRoute,
} from './accounts.ts';
import {
  checkOperatorRoute,
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
import { issueRunTokenRoute } from './run-tokens.ts';

/** Every route of the auth service. */
export const routes = (deps: Deps): readonly Route[] => [
  logInRoute(deps),
  logOutRoute(deps),
  getSessionRoute(deps),
  listSessionsRoute(deps),
  revokeSessionRoute(deps),
  revokeOtherSessionsRoute(deps),
  changePasswordRoute(deps),
  reauthenticateRoute(deps),
  setUpRoute(deps),
  acceptInviteRoute(deps),
  listOperatorsRoute(deps),
  updateOperatorRoute(deps),
  listSignInsRoute(deps),
  verifySessionRoute(deps),
  issueRunTokenRoute(deps),
  checkOperatorRoute(deps),
];
