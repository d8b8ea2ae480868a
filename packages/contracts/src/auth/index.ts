import { routesIn } from '../routes-in.ts';
import * as accounts from './accounts.ts';
import * as consent from './consent.ts';
import * as handovers from './handovers.ts';
import * as history from './history.ts';
import * as identities from './identities.ts';
import * as instance from './instance.ts';
import * as oidcSignIn from './oidc-sign-in.ts';
import * as operators from './operators.ts';
import * as passkeys from './passkeys.ts';
import * as passwords from './passwords.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as signIn from './sign-in.ts';

export * from './accounts.ts';
export * from './connect-protocol.ts';
export * from './consent.ts';
export * from './handovers.ts';
export * from './history.ts';
export * from './identities.ts';
export * from './instance.ts';
export * from './oidc-sign-in.ts';
export * from './operators.ts';
export * from './passkeys.ts';
export * from './passwords.ts';
export * from './second-factor.ts';
export * from './sessions.ts';
export * from './sign-in.ts';

/** Every public route of the auth service. */
export const authRoutes = routesIn(
  accounts,
  consent,
  handovers,
  history,
  identities,
  instance,
  oidcSignIn,
  operators,
  passkeys,
  passwords,
  secondFactor,
  sessions,
  signIn,
);
