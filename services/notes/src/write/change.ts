import type { HeldGrants, NoteId, ProposalId, UndoId } from '@commonplace/contracts/core';
import type {
  Author,
  ConflictResolution,
  IfTitleExists,
  NoteEdit,
  NoteFields,
  OnConflict,
  ReadOnlyFields,
  SyncStatus,
} from '@commonplace/contracts/notes';
import type { EditedText } from '../edit/edit-result.ts';
import type { MergeBudget } from '../merge/create-merger.ts';
import type { MadeMerges } from './made-merges.ts';
import type { ChangedPlace } from '../diff/changed-lines.ts';
import type { LinkRename } from '../rules/rename-links.ts';
import type { SyncCursor } from '../rules/sync-cursor.ts';
import type { ChangeError } from '../rules/decision.ts';
import type { PreparedUndo } from '../rules/decide-undo-write.ts';
import type { Precondition } from '../rules/precondition.ts';
import type { FeedRow } from '../queries/feed.ts';
import type { HeldLease } from '../queries/job-queue.ts';
import type { MutationKey } from '../queries/mutations.ts';
import type { StoredNote } from '../queries/note-rows.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import type { UndoneNoteRow } from '../queries/undo-notes.ts';

/** The idempotency key of a request. */
export type RequestKey = MutationKey & {
  /** What identifies the request, where its change is made of more than what was sent; absent: the change itself. */
  readonly callHash?: string;
};

type PutChange = {
  readonly rule: 'put';
  /** The idempotency key; absent or null: the client sent none. */
  readonly mutation?: RequestKey | null;
  readonly id: NoteId;
  readonly fields: NoteFields;
  readonly precondition: Precondition;
  /** The read-only fields that were sent along. */
  readonly readOnly?: ReadOnlyFields;
};
type DeleteChange = {
  readonly rule: 'delete';
  /** The idempotency key; absent or null: the client sent none. */
  readonly mutation?: RequestKey | null;
  readonly id: NoteId;
  readonly precondition: Precondition;
};
type RestoreChange = {
  readonly rule: 'restore';
  /** The idempotency key; absent or null: the client sent none. */
  readonly mutation?: RequestKey | null;
  readonly id: NoteId;
  /** Null: undelete. */
  readonly revision: number | null;
  readonly precondition: Precondition;
};
export type CreateChange = {
  readonly rule: 'create';
  /** A new id. */
  readonly id: NoteId;
  readonly fields: NoteFields;
  readonly ifTitleExists: IfTitleExists;
  /** The idempotency key; null: the client sent none. */
  readonly mutation: MutationKey | null;
};
type ResolveChange = {
  readonly rule: 'resolve';
  readonly id: NoteId;
  /** The conflict copy. */
  readonly copyId: NoteId;
  readonly resolution: ConflictResolution;
  readonly precondition: Precondition;
};
export type UndoChange = {
  readonly rule: 'undo';
  readonly id: NoteId;
  readonly undoId: UndoId;
  readonly prepared: PreparedUndo;
  /** What is stored of it in the transaction that writes the note. */
  readonly row: UndoneNoteRow;
};
export type EditChange = {
  readonly rule: 'edit';
  readonly id: NoteId;
  readonly edits: readonly NoteEdit[];
  readonly precondition: Precondition;
  /** The idempotency key; null: the client sent none. */
  readonly mutation: RequestKey | null;
  /** Links of the note that follow a rename. */
  readonly linkRename?: LinkRename;
  /** The edited content of one revision, made before the lock. */
  readonly prepared?: PreparedEdit;
};
/** The content of one revision, or of the proposal of its sender that the edit continues, when it is edited. */
export type PreparedEdit = {
  readonly revision: number;
  readonly proposalId: ProposalId | null;
  readonly edited: EditedText;
};
/** A proposal that somebody accepts. */
export type Acceptance = {
  readonly proposalId: ProposalId;
  /** As it was read before the lock, open. Where other changes are written with it, it is read again under the lock. */
  readonly open: ProposalRow;
  /** Null: it proposes a new note. */
  readonly proposalOf: NoteId | null;
  /** Who proposed it: the author of the version. */
  readonly author: Author;
};
export type SyncPutChange = {
  readonly rule: 'sync_put';
  readonly id: NoteId;
  readonly fields: NoteFields;
  readonly baseRevision: number | null;
  readonly onConflict: OnConflict;
  /** The idempotency key. */
  readonly mutation: MutationKey;
  /** The put is a proposal that is accepted: no client sent it, and each attempt has a key of its own. */
  readonly acceptance?: Acceptance;
};
/** A put of a client whose note is not validated yet. */
export type UnparsedPut = Omit<SyncPutChange, 'rule' | 'fields'> & {
  readonly rule: 'unparsed_put';
  readonly note: unknown;
};
type SyncDeleteChange = {
  readonly rule: 'sync_delete';
  readonly id: NoteId;
  readonly baseRevision: number | null;
  /** The idempotency key. */
  readonly mutation: MutationKey;
};

/** A change that a client sent through sync. */
export type SyncedChange = SyncPutChange | SyncDeleteChange;

/** One change of one note. `rule` selects how it is decided. */
export type Change =
  | PutChange
  | CreateChange
  | DeleteChange
  | RestoreChange
  | EditChange
  | ResolveChange
  | UndoChange
  | SyncedChange;

/** A change as submitted to the writer. */
export type SubmittedChange = Exclude<Change, SyncPutChange> | UnparsedPut;

/** A change of the same request that an earlier part wrote, and its outcome. */
export type PriorChange = {
  readonly change: SyncedChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};

/** The changes of one request. They are applied in order, all or none. */
export type WriteRequest = {
  readonly author: Author;
  /** What the caller may change, of the folders where notes are and come to be; absent or null: everything. */
  readonly grants?: HeldGrants;
  /** False: the client takes a proposal for a change, so that none is made. */
  readonly knowsProposals?: boolean;
  /** Why something is proposed. */
  readonly reason?: string | undefined;
  readonly changes: readonly SubmittedChange[];
  /** The other changes are made only if the first one is applied. */
  readonly hasDependents?: boolean;
  /** Changes written by earlier parts of the request, which these may build on. */
  readonly priorChanges?: readonly PriorChange[];
  /** The notes were just at the versions that the changes are based on: what moved since is read under the lock. */
  readonly hasFreshBases?: boolean;
  /** The merge time left, shared by all parts of the request. */
  readonly mergeBudget?: MergeBudget | Readonly<MergeBudget>;
  /** Merges that were made before the request entered the queue; absent: none was needed yet. */
  readonly merges?: MadeMerges;
  /** Throws when the caller may no longer write. Called when the request waited in the queue. */
  readonly recheck?: () => Promise<void>;
  /** The cursor of the client. Nothing is applied when it has expired. */
  readonly cursor?: SyncCursor | null;
  /** The lease of the job that writes. Nothing is applied unless it is held, and it cannot be lost before COMMIT. */
  readonly lease?: HeldLease;
};

/** The outcome of one change. */
export type Outcome = {
  readonly status: SyncStatus;
  /** The note, if it is not the one that the change names. */
  readonly noteId?: NoteId;
  /** The revision of the note after the change; null: no note. */
  readonly revision: number | null;
  /** The note after the change; null: not known at that revision. */
  readonly note: StoredNote | null;
  /** The note existed and was not deleted before the change. */
  readonly wasActive: boolean;
  readonly conflictNoteId: NoteId | null;
  readonly isReplay: boolean;
  /** What the change became instead, with the status `proposed`; or the proposal that it accepted, as it is stored now. */
  readonly proposal?: ProposalRow;
  /** It was there before, and nothing was proposed: the title of a new note is taken by it. */
  readonly isProposedAlready?: boolean;
  /** Where an edit changed the content. */
  readonly places?: readonly ChangedPlace[];
  readonly error: ChangeError | null;
};

/** The outcomes of one request's changes, and the feed after them. */
export type WriteResult = { readonly outcomes: readonly Outcome[]; readonly feed: FeedRow };

/** The notes that a change reads or writes. */
export const notesOfChange = (change: Change | SubmittedChange): readonly NoteId[] =>
  change.rule === 'resolve' ? [change.id, change.copyId] : [change.id];

/** Whether a change was sent through sync. */
export const isSynced = <Any extends Change | SubmittedChange>(
  change: Any,
): change is Extract<Any, { readonly rule: 'sync_put' | 'sync_delete' | 'unparsed_put' }> =>
  ['sync_put', 'sync_delete', 'unparsed_put'].includes(change.rule);

/** The idempotency key of a change; null: a repetition is a change of its own. */
export const mutationOf = (change: Change | SubmittedChange): RequestKey | null =>
  'mutation' in change && acceptanceOf(change) === null ? (change.mutation ?? null) : null;

/** The proposal that a change accepts; null: none. */
export const acceptanceOf = (change: Change | SubmittedChange): Acceptance | null =>
  ('acceptance' in change && change.acceptance) || null;
