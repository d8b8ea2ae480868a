import type { RequestListener } from 'node:http';
import { assertCanWrite, runGlobal, schemaCheck } from '@commonplace/db';
import { buildApp, type RecheckCaller } from '@commonplace/http';
import type { VerifyIdentity } from '@commonplace/identity';
import type { Deps } from './deps.ts';
import { checkDatabase } from './queries/connection.ts';
import { findJobOwner } from './queries/jobs.ts';
import { findNoteOwner } from './queries/notes.ts';
import { routes } from './routes/index.ts';
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
    routes: routes(deps),
    verifyIdentity: deps.verifyIdentity,
    ...(deps.recheckCaller ? { recheckCaller: deps.recheckCaller } : {}),
    ...(deps.largeBodyBytesMax ? { largeBodyBytesMax: deps.largeBodyBytesMax } : {}),
    log: deps.log,
    onResponse: deps.onResponse,
    owners: {
      note: (id) => runGlobal(deps.db, (tx) => findNoteOwner(tx, id)),
      job: (id) => runGlobal(deps.db, (tx) => findJobOwner(tx, id)),
    },
    isReady: async () => {
      await assertSchema();
      await runGlobal(deps.db, checkDatabase);
      await assertCanWrite(deps.db);
    },
  });
};
