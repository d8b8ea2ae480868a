import type { RequestListener } from 'node:http';
import { schemaCheck } from '@commonplace/checks';
import { assertCanWrite, read } from '@commonplace/db';
import { buildApp, type RecheckCaller } from '@commonplace/http';
import type { VerifyIdentity } from '@commonplace/identity';
import { allRoutes, entityOwners, visibleEntities } from './all-routes.ts';
import type { Deps } from './deps.ts';
import { checkDatabase } from './queries/connection.ts';
import { schemaNeeds } from './schema-needs.ts';

/** The notes service as a request handler. */
export const createApp = (
  deps: Deps & {
    readonly verifyIdentity: VerifyIdentity;
    readonly recheckCaller?: RecheckCaller;
    readonly largeBodyBytesMax?: number;
  },
): RequestListener => {
  const assertSchema = schemaCheck(deps.db, schemaNeeds);
  return buildApp({
    routes: allRoutes(deps),
    verifyIdentity: deps.verifyIdentity,
    ...(deps.recheckCaller ? { recheckCaller: deps.recheckCaller } : {}),
    ...(deps.largeBodyBytesMax ? { largeBodyBytesMax: deps.largeBodyBytesMax } : {}),
    log: deps.log,
    onResponse: deps.onResponse,
    owners: entityOwners(deps),
    assertVisible: visibleEntities(deps),
    limits: deps.limits,
    isReady: async () => {
      await assertSchema();
      await read(deps.db, 'global', checkDatabase);
      await assertCanWrite(deps.db);
    },
  });
};
