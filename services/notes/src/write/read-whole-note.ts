import type { NoteId, Reach } from '@commonplace/contracts/core';
import { inIndexOrder, lookup, read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertActive } from '../rules/note-state.ts';
import { largeNoteBytes } from '../limits/large-reads.ts';
import { findNote, findNoteUpTo } from '../queries/notes.ts';
import { hasContent, type NoteRow, type StoredNote } from '../queries/note-rows.ts';

/** Reads the current state of a note that was read without its large content. */
export const readWholeNote = (
  { db, readLarge }: Pick<Deps, 'db' | 'readLarge'>,
  reach: Reach,
  { id, size }: Pick<StoredNote, 'id' | 'size'>,
): Promise<NoteRow | null> =>
  readLarge(reach.companyId, size, () => read(db, inIndexOrder(reach), (tx) => findNote(tx, id)));

/** Reads an active note, of any size; throws `not_found` or `note_deleted`. */
export const readActiveNote = async (
  deps: Pick<Deps, 'db' | 'readLarge'>,
  reach: Reach,
  id: NoteId,
): Promise<NoteRow> => {
  const seen = assertActive(
    await lookup(deps.db, reach, (tx) => findNoteUpTo(tx, id, largeNoteBytes)),
  );
  return hasContent(seen) ? seen : assertActive(await readWholeNote(deps, reach, seen));
};
