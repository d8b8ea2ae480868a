import { routesOf, type Route } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import * as accounts from './accounts.ts';
import * as consent from './consent.ts';
import * as describeInvite from './describe-invite.ts';
import * as identities from './identities.ts';
import * as instance from './instance.ts';
import * as oidc from './oidc.ts';
import * as operators from './operators.ts';
import * as passkeys from './passkeys.ts';
import * as runTokens from './run-tokens.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import { connectRoutes } from './connect.ts';

/** Every route of the service. */
export const routes = (deps: Deps): readonly Route[] => [
  ...routesOf(
    deps,
    accounts,
    consent,
    describeInvite,
    identities,
    instance,
    oidc,
    operators,
    passkeys,
    runTokens,
    secondFactor,
    sessions,
  ),
  ...connectRoutes(deps),
];
