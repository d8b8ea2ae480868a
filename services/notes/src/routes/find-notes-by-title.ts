import { findNotesByTitleContract, notesOfTitleMax } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { Deps } from '../deps.ts';
import {
  listNotesOfFormerTitle,
  listNotesOfTitle,
  type NoteOfTitle,
} from '../queries/former-titles.ts';
import { linkedTitle } from '../rules/linked-title.ts';

/** Finds the notes of a title, in any folder, and those that had it. */
export const findNotesByTitleRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(findNotesByTitleContract, async ({ query, company, work }) => {
    const wanted = { linkedTitle: linkedTitle(query.title), limit: notesOfTitleMax };
    if (wanted.linkedTitle === '') {
      return reply(200, { items: [], former: [], formerHasMore: false, isComplete: true });
    }
    const { result, isComplete } = await readCatalog(deps, {
      reach: company.reach,
      work,
      query: async (tx) => ({
        items: await listNotesOfTitle(tx, wanted),
        former: await listNotesOfFormerTitle(tx, { ...wanted, limit: notesOfTitleMax + 1 }),
      }),
    });
    const former = result.former.filter(({ hasTitle }) => !hasTitle).slice(0, notesOfTitleMax);
    return reply(200, {
      items: result.items.map(present),
      former: former.map((row) => ({ ...present(row), deleted: row.isDeleted })),
      formerHasMore: result.former.length > notesOfTitleMax,
      isComplete,
    });
  });

const present = ({ id, folder, title, revision, updatedAt, conflictOf }: NoteOfTitle) => ({
  id,
  folder,
  title,
  revision,
  updatedAt: updatedAt.toISOString(),
  conflictOf,
});
