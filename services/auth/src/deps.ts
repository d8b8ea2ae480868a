import type { DeploymentMode } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import type { Logger, ServiceClient, OnAnswered } from '@commonplace/http';
import type { SigningKeys } from '@commonplace/identity';
import type { Passwords } from './passwords/passwords.ts';
import type { Client } from './sessions/client-of.ts';
import type { RawExchange, Sessions } from './sessions/sessions.ts';

export type { Client, RawExchange };

/** Everything a part of this service may need; each takes the smallest pick of it. */
export type Deps = {
  readonly db: Db;
  /** The only clock: tests set it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Told of every answer, where there are metrics. */
  readonly onAnswered?: OnAnswered | undefined;
  readonly deploymentMode: DeploymentMode;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly runTokenKeys: SigningKeys;
  /** Internal routes of the agents service. */
  readonly callAgents: ServiceClient;
};
