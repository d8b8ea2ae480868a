import type { NoteId } from '@commonplace/contracts/core';
import type { AuthorKind, WritableRow } from './note-row.ts';

/** A row of notes.note_revisions, with the names of `revisionColumns`. */
export type RevisionRow = WritableRow & {
  readonly noteId: NoteId;
  readonly revision: number;
  readonly deleted: boolean;
  readonly size: number;
  readonly createdAt: Date;
  readonly createdByKind: AuthorKind;
  readonly createdById: string;
  readonly createdByRunId: string | null;
};

/** Everything but text and properties, of a version called `v`. */
export const revisionSummaryColumns = `
  v.note_id as "noteId", v.revision, v.deleted, v.title, v.folder, v.tags, v.pinned, v.archived, v.size,
  v.created_at as "createdAt", v.created_by_kind as "createdByKind",
  v.created_by_id as "createdById", v.created_by_run_id as "createdByRunId"
`;
