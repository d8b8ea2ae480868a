import type { Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { acceptInviteRoute } from './accept-invite.ts';
import { changePasswordRoute } from './change-password.ts';
import { checkOperatorRoute } from './check-operator.ts';
import { getSessionRoute } from './get-session.ts';
import { issueRunTokenRoute } from './issue-run-token.ts';
import { listOperatorsRoute } from './list-operators.ts';
import { listSessionsRoute } from './list-sessions.ts';
import { listSignInsRoute } from './list-sign-ins.ts';
import { logInRoute } from './log-in.ts';
import { logOutRoute } from './log-out.ts';
import { revokeOtherSessionsRoute } from './revoke-other-sessions.ts';
import { revokeSessionRoute } from './revoke-session.ts';
import { setUpRoute } from './set-up.ts';
import { updateOperatorRoute } from './update-operator.ts';
import { verifySessionRoute } from './verify-session.ts';

/** Every route of the auth service. */
export const routes = (deps: Deps): readonly Route[] => [
  logInRoute(deps),
  logOutRoute(deps),
  getSessionRoute(deps),
  listSessionsRoute(deps),
  revokeSessionRoute(deps),
  revokeOtherSessionsRoute(deps),
  changePasswordRoute(deps),
  setUpRoute(deps),
  acceptInviteRoute(deps),
  listOperatorsRoute(deps),
  updateOperatorRoute(deps),
  listSignInsRoute(deps),
  verifySessionRoute(deps),
  issueRunTokenRoute(deps),
  checkOperatorRoute(deps),
];
