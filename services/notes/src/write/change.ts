import type { ErrorCode, NoteId } from '@commonplace/contracts/core';
import type { Author, NoteFields, OnConflict, SyncStatus } from '@commonplace/contracts/notes';
import type { MergeBudget } from '../merge/create-merger.ts';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import type { Precondition } from '../rules/precondition.ts';
import type { MutationKey } from '../queries/mutations.ts';
import type { StoredNote } from '../queries/note-rows.ts';

type PutChange = {
  readonly rule: 'put';
  readonly id: NoteId;
  readonly fields: NoteFields;
  readonly precondition: Precondition;
};
type DeleteChange = {
  readonly rule: 'delete';
  readonly id: NoteId;
  readonly precondition: Precondition;
};
type RestoreChange = {
  readonly rule: 'restore';
  readonly id: NoteId;
  /** Null: undelete. */
  readonly revision: number | null;
};
export type SyncPutChange = {
  readonly rule: 'sync_put';
  readonly id: NoteId;
  readonly fields: NoteFields;
  readonly baseRevision: number | null;
  readonly onConflict: OnConflict;
  /** What makes it idempotent. */
  readonly mutation: MutationKey;
};
/** What a client sends to be put, before anybody has looked into its note. */
export type UnparsedPut = Omit<SyncPutChange, 'rule' | 'fields'> & {
  readonly rule: 'unparsed_put';
  readonly note: unknown;
};
type SyncDeleteChange = {
  readonly rule: 'sync_delete';
  readonly id: NoteId;
  readonly baseRevision: number | null;
  /** What makes it idempotent. */
  readonly mutation: MutationKey;
};

/** A change that belongs to a mutation of a client. */
export type SyncedChange = SyncPutChange | SyncDeleteChange;

/** One change of one note, and the rule it is judged by. */
export type Change = PutChange | DeleteChange | RestoreChange | SyncedChange;

/** A change as it is submitted. */
export type SubmittedChange = Exclude<Change, SyncPutChange> | UnparsedPut;

/** A change of the same request that was written before, and what became of it. */
export type EarlierChange = {
  readonly change: SyncedChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};

/** The changes of one request: applied in order, all of them or none. */
export type WriteRequest = {
  readonly author: Author;
  readonly changes: readonly SubmittedChange[];
  /** Of a request that is written in several parts: what later changes may follow. */
  readonly earlier?: readonly EarlierChange[];
  /** What is left for its merges, all its parts together. */
  readonly mergeBudget?: MergeBudget | Readonly<MergeBudget>;
  /** Throws when its sender may no longer write; asked when the submission has waited. */
  readonly stillAllowed?: () => Promise<void>;
  /** Where the client stands; nothing is applied where that is of no use any more. */
  readonly cursor?: SyncCursor | null;
};

/** What became of one change. */
export type Outcome = {
  readonly status: SyncStatus;
  /** Of the note after the change; null: there is none. */
  readonly revision: number | null;
  /** The note after the change, when it is known at that revision. */
  readonly note: StoredNote | null;
  /** A living note was there before. */
  readonly wasActive: boolean;
  readonly conflictNoteId: NoteId | null;
  readonly isReplay: boolean;
  readonly error: { readonly code: ErrorCode; readonly detail: string } | null;
};

export const isSynced = <Any extends Change | SubmittedChange>(
  change: Any,
): change is Extract<Any, { readonly mutation: MutationKey }> => 'mutation' in change;
