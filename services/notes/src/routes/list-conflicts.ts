import { noteId } from '@commonplace/contracts/core';
import { listConflictsContract } from '@commonplace/contracts/notes';
import { inIndexOrder, read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { presentSummary } from '../present/present-note.ts';
import { findNoteUpTo, listConflictCopies } from '../queries/notes.ts';
import { assertFound } from '../rules/note-state.ts';

/** Lists the active conflict copies of a note. */
export const listConflictsRoute = (deps: Pick<Deps, 'db' | 'describeAuthors' | 'log'>) =>
  defineRoute(listConflictsContract, async ({ params, query, company }) => {
    const cursor = pageCursor(`conflicts ${params.id}`, noteId);
    const after = cursor.read(query);
    const { id } = params;
    const [note, rows] = await Promise.all([
      read(deps.db, inIndexOrder(company.reach), (tx) => findNoteUpTo(tx, id, 0)),
      read(deps.db, company.reach, (tx) =>
        listConflictCopies(tx, { id, after, limit: query.limit + 1 }),
      ),
    ]);
    assertFound(note);
    const { items, nextCursor } = cursor.page(query, rows, (row) => row.id);
    const copies = items.map(presentSummary);
    const named = await nameAuthors(
      deps,
      company.id,
      copies.flatMap(({ createdBy, updatedBy }) => [createdBy, updatedBy]),
    );
    return reply(200, {
      items: copies.map((copy) => ({
        ...copy,
        createdBy: named(copy.createdBy),
        updatedBy: named(copy.updatedBy),
      })),
      nextCursor,
    });
  });
