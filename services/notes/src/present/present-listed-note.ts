import type { NoteOrSummary } from '@commonplace/contracts/notes';
import type { ListedNoteRow } from '../queries/listed-note-row.ts';
import { presentSummary } from './present-note.ts';

/** A note as a list gives it: summaries and tombstones come without content. */
export const presentListedNote = (row: ListedNoteRow): NoteOrSummary =>
  typeof row.content !== 'string' || row.deletedAt !== null
    ? presentSummary(row)
    : { ...presentSummary(row), content: row.content };
