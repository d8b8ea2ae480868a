import { AppError, canReadIn, noteId } from '@commonplace/contracts/core';
import { lookup, read } from '@commonplace/db';
import type { AssertVisible, Owners, Route } from '@commonplace/http';
import type { Deps } from './deps.ts';
import { callMcpRoutes } from './mcp/call-mcp.ts';
import { findJobOwner } from './queries/jobs.ts';
import { findNoteFolder, findNoteOwner } from './queries/notes.ts';
import { describeNotesRoute } from './routes/describe-notes.ts';
import { routes } from './routes/index.ts';

/** Every route of the service, with the one that offers the others to MCP clients, and the internal one. */
export const allRoutes = (deps: Deps): readonly Route[] => {
  const api = routes(deps);
  const mcp = callMcpRoutes(deps, {
    routes: api,
    owners: entityOwners(deps),
    assertVisible: visibleEntities(deps),
    limits: deps.limits,
  });
  return [...api, ...mcp, describeNotesRoute(deps)];
};

/** Which company owns an id. */
export const entityOwners = ({ db }: Pick<Deps, 'db'>): Owners => ({
  note: (id) => read(db, 'global', (tx) => findNoteOwner(tx, id)),
  job: (id) => read(db, 'global', (tx) => findJobOwner(tx, id)),
  undo: (id) => read(db, 'global', (tx) => findJobOwner(tx, id)),
  // Their ids are claimed as those of notes are.
  proposal: (id) => read(db, 'global', (tx) => findNoteOwner(tx, id)),
});

/** Throws 403 for a note, or a deleted one, outside the folders that the caller was granted. */
export const visibleEntities = ({ db }: Pick<Deps, 'db'>): AssertVisible => ({
  note: async ({ id: companyId, grants }, id) => {
    const folder = await lookup(db, companyId, (tx) => findNoteFolder(tx, noteId.parse(id)));
    if (folder !== null && !canReadIn(grants, folder)) {
      throw new AppError('folder_not_granted');
    }
  },
});
