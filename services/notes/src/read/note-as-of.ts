import { otherFieldsOf } from '../rules/note-state.ts';
import { snippetOf } from '../rules/snippet.ts';
import type { NoteRow, StoredNote } from '../queries/note-rows.ts';
import type { VersionOrSummary } from '../queries/versions.ts';

/** The note as of that version. An old version has no change number (0). */
export const noteAsOf = (note: StoredNote, version: VersionOrSummary, content: string): NoteRow =>
  note.revision === version.revision
    ? { ...note, content }
    : {
        ...note,
        ...otherFieldsOf(version),
        content,
        revision: version.revision,
        changeNo: 0,
        size: version.size,
        snippet: snippetOf(content),
        updatedAt: version.createdAt,
        updatedByKind: version.createdByKind,
        updatedById: version.createdById,
        updatedByRunId: version.createdByRunId,
        deletedAt: null,
        sentBy: null,
      };
