import type { RequestListener } from 'node:http';
import { schemaCheck } from '@commonplace/checks';
import { assertDatabase } from '@commonplace/db';
import { buildApp, type RecheckCaller } from '@commonplace/http';
import type { VerifyIdentity } from '@commonplace/identity';
import { allRoutes, entityOwners, visibleEntities } from './all-routes.ts';
import type { Deps } from './deps.ts';
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
      await assertDatabase(deps.db, 'notes.notes');
    },
  });
};
