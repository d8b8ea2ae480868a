import type { CompanyId } from '@commonplace/contracts/core';
import { noteInput, type NoteInput } from '@commonplace/contracts/notes';
import { readInCompany, readInIndexOrder, type Db } from '@commonplace/db';
import { snippetOf } from '../policy/snippet.ts';
import { listNotesById } from '../queries/list-notes-by-id.ts';
import { listVersions, type VersionName } from '../queries/list-versions.ts';
import type { NoteRow } from '../queries/note-row.ts';
import type { RevisionRow } from '../queries/revision-row.ts';
import type { Pushed } from './push-changes.ts';

/** The server's state is not what was sent, so the answer shows it. */
export const showsNote = ({ change, outcome: { status, note } }: Pushed): boolean =>
  status === 'merged' ||
  status === 'conflict' ||
  (status !== 'rejected' && change.op === 'put' && hasOtherTags(change.note, note));

/** Tags are stored trimmed, in normal form, each once and sorted. A replay comes without the note. */
const hasOtherTags = (note: unknown, row: NoteRow | null): boolean => {
  const { tags: sent = [] } = note as NoteInput;
  const stored = row?.tags ?? noteInput.shape.tags.parse(sent);
  return stored.length !== sent.length || stored.some((tag, index) => tag !== sent[index]);
};

/**
 * A replay shows the note as the first answer did. Where it has moved on since, the version of then is
 * read from the revisions; one that is no longer kept is left out.
 */
export const recallNotes = async (
  db: Db,
  companyId: CompanyId,
  pushed: readonly Pushed[],
): Promise<readonly Pushed[]> => {
  const names = pushed.flatMap(namesToRecall);
  if (names.length === 0) {
    return pushed;
  }
  const versions = await readInCompany(db, companyId, (tx) => listVersions(tx, names));
  const ids = names.map(({ id }) => id);
  const notes = await readInIndexOrder(db, companyId, (tx) => listNotesById(tx, ids));
  const noteOf = new Map(notes.map((note) => [note.id, note]));
  const versionOf = new Map(versions.map((row) => [`${row.noteId}:${row.revision}`, row]));
  return pushed.map((entry) => {
    const [name] = namesToRecall(entry);
    const note = name && noteOf.get(name.id);
    const version = name && versionOf.get(`${name.id}:${name.revision}`);
    return note && version
      ? { ...entry, outcome: { ...entry.outcome, note: asOf(note, version) } }
      : entry;
  });
};

const namesToRecall = (pushed: Pushed): VersionName[] => {
  const { change, outcome } = pushed;
  const { revision, note, isReplay } = outcome;
  return isReplay && note === null && revision !== null && showsNote(pushed)
    ? [{ id: change.id, revision }]
    : [];
};

/** The note as it was in that version. Its place in the feed is none any more. */
const asOf = (note: NoteRow, version: RevisionRow): NoteRow => ({
  ...note,
  title: version.title,
  content: version.content,
  folder: version.folder,
  tags: version.tags,
  pinned: version.pinned,
  archived: version.archived,
  properties: version.properties,
  revision: version.revision,
  changeNo: 0,
  size: version.size,
  snippet: snippetOf(version.content),
  updatedAt: version.createdAt,
  updatedByKind: version.createdByKind,
  updatedById: version.createdById,
  updatedByRunId: version.createdByRunId,
  deletedAt: null,
});
