import type { NoteId, Reach } from '@commonplace/contracts/core';
import { inIndexOrder, lookup, read } from '@commonplace/db';
import type { Reader } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { assertActive } from '../rules/note-state.ts';
import { largeNoteBytes } from '../limits/work-limits.ts';
import { findNote, findNoteUpTo } from '../queries/notes.ts';
import { hasContent, type NoteRow, type StoredNote } from '../queries/note-rows.ts';

/** A database, and where a read of large content waits. */
export type Reading = Pick<Deps, 'db'> & { readonly reader: Reader };

/** Reads the current state of a note that was read without its large content. */
export const readWholeNote = (
  { db, reader }: Reading,
  reach: Reach,
  { id, size }: Pick<StoredNote, 'id' | 'size'>,
): Promise<NoteRow | null> =>
  reader.read(size, () => read(db, inIndexOrder(reach), (tx) => findNote(tx, id)));

/** Reads an active note, of any size; throws `not_found` or `note_deleted`. */
export const readActiveNote = async (
  reading: Reading,
  reach: Reach,
  id: NoteId,
): Promise<NoteRow> => {
  const seen = assertActive(
    await lookup(reading.db, reach, (tx) => findNoteUpTo(tx, id, largeNoteBytes)),
  );
  return hasContent(seen) ? seen : assertActive(await readWholeNote(reading, reach, seen));
};
