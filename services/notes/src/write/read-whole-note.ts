import type { CompanyId } from '@commonplace/contracts/core';
import { readInIndexOrder } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findNote } from '../queries/notes.ts';
import type { NoteRow, StoredNote } from '../queries/note-rows.ts';

/** Reads the current state of a note that was read without its large content. */
export const readWholeNote = (
  { db, readLarge }: Pick<Deps, 'db' | 'readLarge'>,
  companyId: CompanyId,
  { id, size }: Pick<StoredNote, 'id' | 'size'>,
): Promise<NoteRow | null> =>
  readLarge(companyId, size, () => readInIndexOrder(db, companyId, (tx) => findNote(tx, id)));
