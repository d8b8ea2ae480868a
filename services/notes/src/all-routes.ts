import { runGlobal } from '@commonplace/db';
import type { Owners, Route } from '@commonplace/http';
import type { Deps } from './deps.ts';
import { callMcpRoutes } from './mcp/call-mcp.ts';
import { findJobOwner } from './queries/jobs.ts';
import { findNoteOwner } from './queries/notes.ts';
import { describeNotesRoute } from './routes/describe-notes.ts';
import { routes } from './routes/index.ts';

/** Every route of the service, with the one that offers the others to MCP clients, and the internal one. */
export const allRoutes = (deps: Deps): readonly Route[] => {
  const api = routes(deps);
  const mcp = callMcpRoutes(deps, { routes: api, owners: entityOwners(deps) });
  return [...api, ...mcp, describeNotesRoute(deps)];
};

/** Which company owns an id. */
export const entityOwners = ({ db }: Pick<Deps, 'db'>): Owners => ({
  note: (id) => runGlobal(db, (tx) => findNoteOwner(tx, id)),
  job: (id) => runGlobal(db, (tx) => findJobOwner(tx, id)),
  undo: (id) => runGlobal(db, (tx) => findJobOwner(tx, id)),
});
