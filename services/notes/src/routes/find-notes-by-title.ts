import { findNotesByTitleContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { Deps } from '../deps.ts';
import {
  listNotesOfFormerTitle,
  listNotesOfTitle,
  type NoteOfTitle,
} from '../queries/former-titles.ts';
import { linkedTitle } from '../rules/linked-title.ts';

/** More notes of one title have to be named by their ids or folders. */
const notesMax = 20;

/** Finds the notes of a title, in any folder, and those that had it. */
export const findNotesByTitleRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(findNotesByTitleContract, async ({ query, company, work }) => {
    const wanted = { linkedTitle: linkedTitle(query.title), limit: notesMax };
    if (wanted.linkedTitle === '') {
      return reply(200, { items: [], former: [], isComplete: true });
    }
    const { result, isComplete } = await readCatalog(deps, {
      reach: company.reach,
      work,
      query: async (tx) => ({
        items: await listNotesOfTitle(tx, wanted),
        former: await listNotesOfFormerTitle(tx, wanted),
      }),
    });
    return reply(200, {
      items: result.items.map(present),
      former: result.former.map((row) => ({ ...present(row), deleted: row.isDeleted })),
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
