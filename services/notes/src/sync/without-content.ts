import type { Author } from '@commonplace/contracts/notes';
import type { NoteRow, StoredNote } from '../queries/note-rows.ts';
import { wasSentBy } from '../rules/sent-by.ts';

/** The client that pulls; null: it has no name, and every client of the caller counts. */
export type PullingClient = { readonly author: Author; readonly clientId: string | null };

/** The notes of a pull, without the content of those that this client has sent itself. */
export const withoutContent = (
  notes: readonly NoteRow[],
  client: PullingClient | undefined,
): readonly StoredNote[] =>
  client
    ? notes.map((note) => (isKnownTo(note, client) ? { ...note, content: null } : note))
    : notes;

/**
 * Whether the present version is what this client sent. To be its author is not enough: a merge, an edit or a
 * restore by the same caller may hold text of others that the client has never seen.
 */
export const isKnownTo = (
  note: Pick<NoteRow, 'updatedByKind' | 'updatedById' | 'sentBy' | 'revision'>,
  { author, clientId }: PullingClient,
): boolean =>
  note.updatedByKind === author.kind && note.updatedById === author.id && wasSentBy(note, clientId);
