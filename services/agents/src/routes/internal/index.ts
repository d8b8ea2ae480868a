import type { Route } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { transferLocalMembershipsRoute, listMembershipsRoute } from './memberships.ts';
import {
  checkAgentRoute,
  checkOperatorCallerRoute,
  verifyKeyRoute,
  verifyRunRoute,
} from './callers.ts';
import {
  createConnectionRoute,
  endConnectionRoute,
  endConnectionTokensRoute,
  issueConnectionTokenRoute,
  verifyConnectionRoute,
} from './connections.ts';
import { describeAuthorsRoute, listColleaguesRoute } from './authors.ts';
import { describeAgentsRoute } from './describe-agents.ts';
import { stopSourceRoute } from './stop-source.ts';
import { findInviteRoute, redeemInviteRoute } from './invites.ts';
import { findProposalDecidersRoute } from './proposal-deciders.ts';
import { recordSearchSettingsRoute } from './search-settings.ts';

/** The routes for other services. */
export const internalRoutes = (deps: Deps): readonly Route[] => [
  verifyKeyRoute(deps),
  verifyRunRoute(deps),
  createConnectionRoute(deps),
  issueConnectionTokenRoute(deps),
  endConnectionTokensRoute(deps),
  endConnectionRoute(deps),
  verifyConnectionRoute(deps),
  listMembershipsRoute(deps),
  checkAgentRoute(deps),
  checkOperatorCallerRoute(deps),
  describeAuthorsRoute(deps),
  listColleaguesRoute(deps),
  findInviteRoute(deps),
  redeemInviteRoute(deps),
  transferLocalMembershipsRoute(deps),
  stopSourceRoute(deps),
  describeAgentsRoute(deps),
  recordSearchSettingsRoute(deps),
  findProposalDecidersRoute(deps),
];
