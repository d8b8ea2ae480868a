import { AppError, type NoteId, type Reach } from '@commonplace/contracts/core';
import { inIndexOrder, read, type CompanyTx } from '@commonplace/db';
import type { Work } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largeNoteBytes } from '../limits/work-limits.ts';
import { findNoteUpTo } from '../queries/notes.ts';
import { hasContent, type NoteRow, type StoredNote } from '../queries/note-rows.ts';
import { findVersion } from '../queries/versions.ts';
import { noteAsOf } from './note-as-of.ts';

/** Contents of any size. */
const anySize = 2_147_483_647;

/** A database, and where a request waits for what it has written. */
type Writing = Pick<Deps, 'db'> & { readonly work: Pick<Work<unknown>, 'readWritten'> };

/** What a write reported of a note. */
type Written = { readonly note: StoredNote | null; readonly revision: number | null };

/** The note that a write made. That of a replay is read as the first write left it. */
export const readWrittenNote = async (
  writing: Writing,
  reach: Reach,
  { id, outcome }: { readonly id: NoteId; readonly outcome: Written },
): Promise<NoteRow> => {
  const { note, revision } = outcome;
  if (note && hasContent(note)) {
    return note;
  }
  if (revision === null) {
    throw new Error('The written note is missing');
  }
  return readAsOf(writing, reach, { id, revision });
};

const readAsOf = async (
  { db, work }: Writing,
  reach: Reach,
  name: { readonly id: NoteId; readonly revision: number },
): Promise<NoteRow> => {
  const upTo = (bytesMax: number) => (tx: CompanyTx) => findVersion(tx, name, bytesMax);
  const note = await read(db, inIndexOrder(reach), (tx) => findNoteUpTo(tx, name.id, 0));
  const small = await read(db, reach, upTo(largeNoteBytes));
  const version =
    small && small.content === null
      ? await work.readWritten(small.size, () => read(db, reach, upTo(anySize)))
      : small;
  if (!note && reach.folders !== null) {
    // Of a repetition: the note has left the folders of the caller since, as by a repetition of PUT.
    throw new AppError('folder_not_granted');
  }
  if (!note || !version || version.content === null) {
    throw new AppError('not_found', 'The note was written, and is gone since.');
  }
  return noteAsOf(note, version, version.content);
};
