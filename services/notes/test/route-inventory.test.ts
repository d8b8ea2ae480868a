import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notesRoutes, type Access } from '@commonplace/contracts';
import { allRoutes } from '../src/all-routes.ts';
import { createNotesWorld, type NotesWorld } from './notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const served = () => world.deps.slice(0, 1).flatMap((deps) => allRoutes(deps));

const whoMay = (access: Access): string =>
  access.kind === 'company'
    ? `agents ${access.agents}, operators ${access.operators}, by ${access.company}`
    : access.kind;

describe('the routes of the notes service', () => {
  it('are these, open to these', () => {
    const inventory = served().map(
      ({ contract: { method, path, access } }) => `${method} ${path}: ${whoMay(access)}`,
    );
    expect(inventory.toSorted()).toEqual([
      'delete /api/notes/{id}: agents own_company, operators operator, by entity',
      'delete /api/sync/{jobId}: agents own_company, operators operator, by entity',
      'get /api/companies/{companyId}/search-settings: agents never, operators viewer, by path',
      'get /api/notes/activity/days: agents own_company, operators viewer, by selected',
      'get /api/notes/activity: agents own_company, operators viewer, by selected',
      'get /api/notes/broken-links: agents own_company, operators viewer, by selected',
      'get /api/notes/by-path: agents own_company, operators viewer, by selected',
      'get /api/notes/by-title: agents own_company, operators viewer, by selected',
      'get /api/notes/changes: agents own_company, operators viewer, by selected',
      'get /api/notes/folders: agents own_company, operators viewer, by selected',
      'get /api/notes/proposals/{proposalId}: agents own_company, operators viewer, by entity',
      'get /api/notes/proposals: agents own_company, operators viewer, by selected',
      'get /api/notes/tags: agents own_company, operators viewer, by selected',
      'get /api/notes/undo/{undoId}: agents never, operators operator, by entity',
      'get /api/notes/{id}/blame: agents own_company, operators viewer, by entity',
      'get /api/notes/{id}/conflicts: agents own_company, operators viewer, by entity',
      'get /api/notes/{id}/diff: agents own_company, operators viewer, by entity',
      'get /api/notes/{id}/links: agents own_company, operators viewer, by entity',
      'get /api/notes/{id}/revisions/{revision}: agents own_company, operators viewer, by entity',
      'get /api/notes/{id}/revisions: agents own_company, operators viewer, by entity',
      'get /api/notes/{id}: agents own_company, operators viewer, by entity',
      'get /api/notes: agents own_company, operators viewer, by selected',
      'get /api/sync/{jobId}: agents own_company, operators operator, by entity',
      'get /api/sync: agents never, operators operator, by selected',
      'patch /api/notes/{id}: agents own_company, operators operator, by entity',
      'post /api/context: agents own_company, operators viewer, by selected',
      'post /api/notes/proposals/decide: agents own_company, operators operator, by selected',
      'post /api/notes/proposals/{proposalId}/accept: agents own_company, operators operator, by entity',
      'post /api/notes/proposals/{proposalId}/reject: agents own_company, operators operator, by entity',
      'post /api/notes/read: agents own_company, operators viewer, by selected',
      'post /api/notes/undo: agents never, operators operator, by selected',
      'post /api/notes/{id}/conflicts/{copyId}/resolve: agents own_company, operators operator, by entity',
      'post /api/notes/{id}/restore: agents own_company, operators operator, by entity',
      'post /api/notes: agents own_company, operators operator, by selected',
      'post /api/sync: agents own_company, operators viewer, by selected',
      'post /connect/mcp: agents own_company, operators never, by selected',
      'post /internal/describe: service',
      'post /mcp: agents own_company, operators viewer, by selected',
      'put /api/companies/{companyId}/search-settings: agents never, operators owner, by path',
      'put /api/notes/{id}: agents own_company, operators operator, by entity_or_selected',
    ]);
  });

  it('keep to the folders that a caller was granted, or refuse it', () => {
    const refusing = served().flatMap(({ contract: { method, path, access } }) =>
      access.kind === 'company' &&
      (access.agents !== 'never' || access.operators === 'viewer') &&
      access.grants !== 'kept'
        ? [`${method} ${path}`]
        : [],
    );
    expect(refusing.toSorted()).toEqual(['get /api/companies/{companyId}/search-settings']);
  });

  it('have the notes of their paths checked', () => {
    const unchecked = served().flatMap(({ contract: { method, path, access } }) => {
      const entities = access.kind === 'company' ? Object.values(access.entities ?? {}) : [];
      const notes = [...path.matchAll(/\{(?:id|copyId)\}/g)].length;
      return entities.filter((kind) => kind === 'note').length === notes
        ? []
        : [`${method} ${path}`];
    });
    expect(unchecked).toEqual([]);
  });

  it('serve every public contract of this service', () => {
    const operations = new Set(served().map(({ contract }) => contract.operationId));
    expect(notesRoutes.filter(({ operationId }) => !operations.has(operationId))).toEqual([]);
  });

  it('are listed among the contracts, unless they are internal: others know no more than the list', () => {
    const listed = new Set(notesRoutes.map(({ operationId }) => operationId));
    const unlisted = served().flatMap(({ contract: { operationId, access } }) =>
      access.kind === 'service' || listed.has(operationId) ? [] : [operationId],
    );
    expect(unlisted).toEqual([]);
  });
});
