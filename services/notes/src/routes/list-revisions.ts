import { AppError, type NoteId } from '@commonplace/contracts/core';
import { listRevisionsContract } from '@commonplace/contracts/notes';
import { read, type CompanyTx } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentRevisionSummary } from '../present/present-note.ts';
import { listRevisions } from '../queries/versions.ts';

/** Lists the versions of a note, newest first. */
export const listRevisionsRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listRevisionsContract, async ({ params, query, company }) => {
    const cursor = pageCursor(`revisions ${params.id}`, z.int());
    const before = cursor.read(query);
    const rows = await read(db, company.reach, async (tx) => {
      const page = await listRevisions(tx, { id: params.id, before, limit: query.limit + 1 });
      await assertKnown(tx, { id: params.id, before, rows: page.length });
      return page;
    });
    const { items, nextCursor } = cursor.page(query, rows, (row) => row.revision);
    return reply(200, { items: items.map(presentRevisionSummary), nextCursor });
  });

/**
 * Throws 404 if the note does not exist; every note has at least one version. A cursor is not proof: it may be
 * forged, or belong to another company's note.
 */
const assertKnown = async (
  tx: CompanyTx,
  { id, before, rows }: { id: NoteId; before: number | null; rows: number },
): Promise<void> => {
  if (rows > 0) {
    return;
  }
  if (before === null || (await listRevisions(tx, { id, before: null, limit: 1 })).length === 0) {
    throw new AppError('not_found', 'No such note.');
  }
};
