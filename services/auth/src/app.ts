import type { RequestListener } from 'node:http';
import { AppError } from '@commonplace/contracts/core';
import { schemaCheck } from '@commonplace/checks';
import { assertDatabase } from '@commonplace/db';
import { buildApp, callerRecheck } from '@commonplace/http';
import type { VerifyIdentity } from '@commonplace/identity';
import { callerLookups } from './commands/caller-lookups.ts';
import type { Deps } from './deps.ts';
import { routes } from './routes/index.ts';
import { schemaNeeds } from './schema-needs.ts';

export type AppDeps = Deps & {
  readonly verifyIdentity: VerifyIdentity;
  /** Throws until the configuration is known to match the database. */
  readonly assertConfiguration?: () => Promise<void>;
  /** False until somebody can sign in: the first operator exists, or its setup link was shown. */
  readonly isBootstrapped?: () => boolean;
};

/** Creates the auth service: accounts, sessions, sign-in history and run tokens. */
export const createApp = (deps: AppDeps): RequestListener => {
  const assertSchema = schemaCheck(deps.db, schemaNeeds);
  return buildApp({
    routes: routes(deps),
    verifyIdentity: deps.verifyIdentity,
    recheckCaller: callerRecheck(callerLookups(deps)),
    log: deps.log,
    onResponse: deps.onResponse,
    isReady: async () => {
      await assertSchema();
      await deps.assertConfiguration?.();
      await assertDatabase(deps.db, 'auth.instance');
      if (deps.isBootstrapped?.() === false) {
        throw new AppError('service_unavailable', 'The instance is starting.');
      }
    },
  });
};
