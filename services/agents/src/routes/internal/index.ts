import { routesOf, type Route } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import * as authors from './authors.ts';
import * as callers from './callers.ts';
import * as connections from './connections.ts';
import * as describeAgents from './describe-agents.ts';
import * as invites from './invites.ts';
import * as memberships from './memberships.ts';
import * as proposalDeciders from './proposal-deciders.ts';
import * as searchSettings from './search-settings.ts';
import * as stopSource from './stop-source.ts';

/** The routes for other services. */
export const internalRoutes = (deps: Deps): readonly Route[] =>
  routesOf(
    deps,
    authors,
    callers,
    connections,
    describeAgents,
    invites,
    memberships,
    proposalDeciders,
    searchSettings,
    stopSource,
  );
