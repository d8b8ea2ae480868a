import { AppError, noteId } from '@commonplace/contracts/core';
import { getUndoContract, undoNotesContract } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentUndo, presentUndoneNote } from '../present/present-undo.ts';
import { listUndoneNotes } from '../queries/undo-notes.ts';
import { countOutcomes, findUndo } from '../queries/undos.ts';
import { assertOfNoOtherCompany } from '../read/assert-of-no-other-company.ts';
import { createStartUndo } from '../undo/start-undo.ts';

/** Takes back what a run, a key, an agent or another undo wrote, in the background. */
export const undoNotesRoute = (
  deps: Pick<
    Deps,
    'db' | 'clock' | 'jobSignal' | 'stopSource' | 'authorizeJob' | 'readCallerAccess'
  >,
) => {
  const startUndo = createStartUndo(deps);
  return defineRoute(undoNotesContract, async ({ body, caller, company }) => {
    if (caller.kind !== 'operator') {
      throw new AppError('operator_only');
    }
    if (body.noteIds !== undefined) {
      const named = { ids: body.noteIds, subject: 'A note' } as const;
      await assertOfNoOtherCompany(deps, company.id, named);
    }
    const access = await deps.readCallerAccess(caller, company.id);
    const id = await startUndo({ companyId: company.id, caller, access, request: body });
    return reply(202, { id, status: 'queued' as const }, { Location: `/api/notes/undo/${id}` });
  });
};

const undoCursor = pageCursor('undo', z.tuple([noteId]));

/** Reads an undo, with a page of its notes. */
export const getUndoRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getUndoContract, async ({ params, query, company }) => {
    const after = undoCursor.read(query)?.[0] ?? null;
    const [undo, counted, rows] = await read(db, company.id, (tx) =>
      Promise.all([
        findUndo(tx, params.undoId),
        countOutcomes(tx, params.undoId),
        listUndoneNotes(tx, {
          undoId: params.undoId,
          after,
          limit: query.limit + 1,
          outcome: query.outcome ?? null,
        }),
      ]),
    );
    if (!undo) {
      throw new AppError('not_found', 'No such undo.');
    }
    const { items, nextCursor } = undoCursor.page(query, rows, (row) => [row.noteId]);
    const page = { notes: items.map(presentUndoneNote), nextCursor };
    const headers = undo.finishedAt === null ? { 'Retry-After': '1' } : {};
    return reply(200, presentUndo(undo, counted, page), headers);
  });
