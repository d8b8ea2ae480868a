import { undoId, type CompanyId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { finishUndo, lockUndo, type UndoEnd } from '../queries/undos.ts';

/** Ends an undo that failed. What it has undone stays; the notes that are not decided stay as they are. */
export const failUndo = (
  { db }: Pick<Deps, 'db'>,
  { companyId, id }: { readonly companyId: CompanyId; readonly id: string },
  end: Pick<UndoEnd, 'error' | 'at'>,
): Promise<void> =>
  write(db, companyId, async (tx) => {
    const undo = await lockUndo(tx, undoId.parse(id));
    if (undo && undo.finishedAt === null) {
      await finishUndo(tx, undo.id, { status: 'failed', error: end.error, at: end.at });
    }
  });
