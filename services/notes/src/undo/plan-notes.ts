import type { CompanyTx } from '@commonplace/db';
import { insertUndoNotes } from '../queries/undo-notes.ts';
import { listNotesOfUndo, listSourceVersions } from '../queries/undo-sources.ts';
import { updateUndoPlan, type UndoRow } from '../queries/undos.ts';

/** Versions that are looked at in one transaction. */
const pageVersions = 2_000;

/** Finds the next notes that the source of an undo wrote, in the order of time. */
export const planNextNotes = async (tx: CompanyTx, undo: UndoRow): Promise<void> => {
  const wanted = undo.noteIds && new Set<string>(undo.noteIds);
  const add = (noteIds: readonly UndoNoteId[]) =>
    insertUndoNotes(tx, undo.id, [
      ...new Set(noteIds.filter((id) => wanted === null || wanted.has(id))),
    ]);
  const { undoId } = undo.source;
  if (undoId !== undefined) {
    await add(await listNotesOfUndo(tx, undoId));
    await updateUndoPlan(tx, undo.id, { plannedUntil: null, isPlanned: true });
    return;
  }
  const versions = await listSourceVersions(
    tx,
    { source: undo.source, lastChange: undo.lastChange ?? 0 },
    { after: undo.plannedUntil, limit: pageVersions },
  );
  await add(versions.map(({ noteId }) => noteId));
  const last = versions.at(-1);
  await updateUndoPlan(tx, undo.id, {
    plannedUntil: last ? [last.at.toISOString(), last.noteId, last.revision] : undo.plannedUntil,
    isPlanned: versions.length < pageVersions,
  });
};

type UndoNoteId = Parameters<typeof insertUndoNotes>[2][number];
