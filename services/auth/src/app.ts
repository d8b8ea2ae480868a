import type { RequestListener } from 'node:http';
import { runGlobal } from '@commonplace/db';
import { buildApp } from '@commonplace/http';
import type { VerifyIdentity } from '@commonplace/identity';
import type { Deps } from './deps.ts';
import { checkDatabase } from './queries/check-database.ts';
import { routes } from './routes/index.ts';

/** The auth service as a request handler. */
export const createApp = (
  deps: Deps & { readonly verifyIdentity: VerifyIdentity },
): RequestListener =>
  buildApp({
    routes: routes(deps),
    verifyIdentity: deps.verifyIdentity,
    log: deps.log,
    isReady: () => runGlobal(deps.db, checkDatabase),
  });
