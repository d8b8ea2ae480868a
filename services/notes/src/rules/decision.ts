import type { ErrorCode } from '@commonplace/contracts/core';
import type { NoteFields, SyncStatus } from '@commonplace/contracts/notes';

/** The next version of a note. */
export type NextVersion = {
  /** Null: a deletion, which keeps what the note said. */
  readonly fields: NoteFields | null;
  readonly revision: number;
};

/** What is to become of one change: a rule looks at the note as it is now and answers with this. */
export type Decision = {
  readonly status: SyncStatus;
  /** Null: the note stays as it is. */
  readonly next: NextVersion | null;
  /** What is kept in a new note, because it could not be kept in this one. */
  readonly copy: NoteFields | null;
  /** Why a change was rejected. */
  readonly error: { readonly code: ErrorCode; readonly detail: string } | null;
};

/** The change makes a next version. */
export const applied = (status: SyncStatus, next: NextVersion): Decision => ({
  status,
  next,
  copy: null,
  error: null,
});

/** The note stays as it is, and that is fine. */
export const unchanged: Decision = { status: 'unchanged', next: null, copy: null, error: null };

/** The note stays as it is; what was sent is kept in `copy`, or not at all. */
export const conflict = (copy: NoteFields | null): Decision => ({
  status: 'conflict',
  next: null,
  copy,
  error: null,
});

/** The change is refused. */
export const rejected = (code: ErrorCode, detail: string): Decision => ({
  status: 'rejected',
  next: null,
  copy: null,
  error: { code, detail },
});
