import { AppError, noteId } from '@commonplace/contracts/core';
import { listConflictsContract } from '@commonplace/contracts/notes';
import { readInCompany } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentSummary } from '../present/present-note.ts';
import { findNoteUpTo, listConflictCopies } from '../queries/notes.ts';

/** Lists the active conflict copies of a note. */
export const listConflictsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listConflictsContract, async ({ params, query, company }) => {
    const cursor = pageCursor(`conflicts ${params.id}`, noteId);
    const after = cursor.read(query);
    const rows = await readInCompany(db, company.id, async (tx) => {
      const [note, copies] = await Promise.all([
        findNoteUpTo(tx, params.id, 0),
        listConflictCopies(tx, { id: params.id, after, limit: query.limit + 1 }),
      ]);
      if (!note) {
        throw new AppError('not_found', 'No such note.');
      }
      return copies;
    });
    const { items, nextCursor } = cursor.page(query, rows, ({ id }) => id);
    return reply(200, { items: items.map(presentSummary), nextCursor });
  });
