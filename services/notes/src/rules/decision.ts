import type { ErrorCode, FieldError, NoteId } from '@commonplace/contracts/core';
import type { NoteFields, SyncStatus } from '@commonplace/contracts/notes';

/** The next version of a note. */
export type NextVersion = {
  /** Null: a deletion, which keeps the text. */
  readonly fields: NoteFields | null;
  readonly revision: number;
  /** The earlier version that it restores; absent: none. */
  readonly restoredFrom?: number;
};

/** The decision of a rule on one change, given the current note. */
export type Decision = {
  readonly status: SyncStatus;
  /** Null: the note stays unchanged. */
  readonly next: NextVersion | null;
  /** The fields to store as a conflict copy; null: no copy. */
  readonly copy: NoteFields | null;
  /** Another note that the change deletes. */
  readonly deletes?: NoteId;
  /** Why the change was rejected; null: it was not. */
  readonly error: ChangeError | null;
};

/** Why a change was rejected, with the members of its problem. */
export type ChangeError = {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
};

/** Whether the outcome of a change says what is stored: it was neither rejected nor only proposed. */
export const isTaken = (status: SyncStatus): boolean =>
  status !== 'rejected' && status !== 'proposed';

/** The change creates the next version. */
export const applied = (status: SyncStatus, next: NextVersion): Decision => ({
  status,
  next,
  copy: null,
  error: null,
});

/** The note already is as requested. */
export const unchanged: Decision = { status: 'unchanged', next: null, copy: null, error: null };

/** The note stays unchanged; what was sent is stored as `copy`, or dropped if null. */
export const conflict = (copy: NoteFields | null): Decision => ({
  status: 'conflict',
  next: null,
  copy,
  error: null,
});

/** The change is rejected. */
export const rejected = (code: ErrorCode, detail: string): Decision => ({
  status: 'rejected',
  next: null,
  copy: null,
  error: { code, detail },
});
