import type { DeploymentMode } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import type { Logger, ServiceClient, ServiceProbe, OnResponse } from '@commonplace/http';
import type { SigningKeys } from '@commonplace/identity';
import type { PasskeySite } from './factors/passkey-site.ts';
import type { SecretBox } from './factors/secret-box.ts';
import type { Attempts } from './oidc/attempts.ts';
import type { Connect } from './oauth/connect.ts';
import type { OidcProvider } from './oidc/provider.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { Client } from './sessions/client-of.ts';
import type { RawExchange, Sessions } from './sessions/sessions.ts';

export type { Client, RawExchange };

/** Single sign-on. */
export type Oidc = {
  /** The label of the button. */
  readonly name: string;
  readonly provider: OidcProvider;
  readonly attempts: Attempts;
  /** Verified emails of these domains get an account at their first sign-in. */
  readonly allowedDomains: readonly string[];
};

/** The dependencies of the service. Each part takes the smallest pick it needs. */
export type Deps = {
  readonly db: Db;
  /** The only clock; tests replace it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Called after every response, if metrics are enabled. */
  readonly onResponse?: OnResponse | undefined;
  readonly deploymentMode: DeploymentMode;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  /** Encrypts the secrets of authenticator apps; null without SECOND_FACTOR_SECRETS. */
  readonly secretBox: SecretBox | null;
  /** Whether operators without a second factor may only set one up. */
  readonly requiresSecondFactor: boolean;
  /** Methods of which a provider must have used one; empty: any. */
  readonly requiredAmr: readonly string[];
  /** Null where browsers make no passkeys. */
  readonly passkeySite: PasskeySite | null;
  readonly runTokenKeys: SigningKeys;
  /** The provider of single sign-on; null means none is configured. */
  readonly oidc: Oidc | null;
  /** The OAuth server, for hosts that connect without a key. */
  readonly connect: Connect;
  /** The origin of the console, for links. */
  readonly consoleUrl: string;
  /** Whether operators sign in by password. */
  readonly isLocalLogin: boolean;
  /** Calls the internal routes of the agents service. */
  readonly callAgents: ServiceClient;
  /** The same for the notes service, which only the page of the instance needs; null without NOTES_URL. */
  readonly callNotes: ServiceClient | null;
  readonly probeAgents: ServiceProbe;
  readonly probeNotes: ServiceProbe | null;
};
