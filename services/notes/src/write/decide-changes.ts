import type { NoteId } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import type { StoredNote } from '../queries/note-rows.ts';
import { newMergeBudget } from '../merge/create-merger.ts';
import { baseToMerge, type Base, type UndoneVersions } from '../rules/decide-sync.ts';
import { rejected, type Decision } from '../rules/decision.ts';
import { isActive, wholeOf } from '../rules/note-state.ts';
import {
  addedText,
  mayWriteIn,
  notAdding,
  notGranted,
  scopeOf,
  visibleBase,
  withinGrants,
} from '../rules/within-grants.ts';
import {
  isSynced,
  mutationOf,
  notesOfChange,
  type Change,
  type CreateChange,
  type Outcome,
  type WriteRequest,
  type SyncedChange,
  type UndoChange,
} from './change.ts';
import { presentReadOnly } from '../present/present-note.ts';
import { applyRule } from './apply-rule.ts';
import { changeHash, hashOf, type KnownMutation, type MutationLog } from './mutation-log.ts';
import { changedPlaces, type ChangedPlace } from '../rules/changed-lines.ts';
import { editText } from './edit-text.ts';
import type { MergeResults } from './merge-results.ts';
import type { ParsePut } from './parse-put.ts';
import type { VersionCache } from './version-cache.ts';
import type { TitledNotes } from './titled-notes.ts';
import type { StagedNotes } from './staged-notes.ts';

/** Everything a transaction needs to decide changes. */
export type BatchState = {
  readonly texts: VersionCache;
  readonly merges: MergeResults;
  readonly titledNotes: TitledNotes;
  readonly stagedNotes: StagedNotes;
  readonly mutations: MutationLog;
  readonly foreignIds: ReadonlySet<NoteId>;
  readonly parsePut: ParsePut;
  /** The versions of a note that earlier undos took out. */
  readonly undoneOf: (id: NoteId) => UndoneVersions;
  /** The undos that wrote a version. */
  readonly undone: UndoChange[];
};

/**
 * Decides the changes of one request in order. A change with the same note and base as an earlier one is
 * based on what the earlier one sent. Yields one outcome at a time, so that decided changes are written
 * while later ones are decided. A yielded promise must be awaited before the next step. Yields fewer outcomes than changes
 * only where the others depend on the first.
 */
export function* decideChanges(
  state: BatchState,
  submission: WriteRequest,
): Generator<Outcome | Promise<void>, void> {
  const { mergeBudget = newMergeBudget() } = submission;
  const sent = new Map(
    submission.priorChanges?.map(({ change, outcome }) => [
      chainOf(change),
      baseForLaterChanges(change, outcome),
    ]),
  );
  for (const [index, submitted] of submission.changes.entries()) {
    const isNeeded = index === 0 && submission.hasDependents === true;
    const change = submitted.rule === 'unparsed_put' ? state.parsePut(submitted) : submitted;
    if (!('rule' in change)) {
      yield change;
      continue;
    }
    const refusal = refusalOf(state, submission, change);
    if (refusal) {
      yield refusal;
      if (isNeeded) {
        return;
      }
      continue;
    }
    const base = isSynced(change)
      ? visibleBase(submission.grants ?? null, baseOf(state, change, sent))
      : noBase;
    const replay = replayOf(state, change);
    const toMerge = replay ? null : mergeCaseOf(state, change, base);
    if (toMerge && !state.merges.isMade(toMerge.put, toMerge)) {
      yield state.merges.make(toMerge.put, toMerge, mergeBudget);
    }
    const outcome = replay ?? decide(state, { change, base, submission });
    if (isSynced(change) && outcome.status !== 'rejected') {
      sent.set(chainOf(change), baseForLaterChanges(change, outcome));
    }
    yield outcome;
    if (isNeeded && (outcome.status !== 'applied' || outcome.isReplay)) {
      return;
    }
  }
}

/**
 * Why the sender may not change the notes where they are, or put them where the change says; null: it may. Comes before
 * everything that would reveal them: repetitions, merges, conditions. A repetition of a change changes nothing more: it
 * needs no more than adding.
 */
const refusalOf = (
  { stagedNotes, mutations }: BatchState,
  { grants = null }: WriteRequest,
  change: Change,
): Outcome | null => {
  if (grants === null) {
    return null;
  }
  const folders = [
    ...notesOfChange(change).map((id) => stagedNotes.find(id)?.folder),
    ...('fields' in change ? [change.fields.folder] : []),
  ];
  if (!mayWriteIn(grants, folders, 'append')) {
    return refused(notGranted);
  }
  const scope = mutations.find(change) ? 'append' : scopeOf(stagedNotes.find(change.id), change);
  return mayWriteIn(grants, folders, scope) ? null : refused(notAdding);
};

const refused = ({ status, error }: Decision): Outcome => ({
  status,
  revision: null,
  note: null,
  wasActive: false,
  conflictNoteId: null,
  isReplay: false,
  error,
});

/** The inputs of the merge a change needs; null: no merge, or the content is too large to read. */
const mergeCaseOf = ({ stagedNotes, undoneOf }: BatchState, change: Change, base: Base) => {
  const now = stagedNotes.find(change.id);
  if (change.rule !== 'sync_put' || !now || now.content === null) {
    return null;
  }
  const ancestor = baseToMerge(now, { ...change, base, undone: undoneOf(change.id) });
  return ancestor && { put: change, base: ancestor, now: wholeOf(now) };
};

const noBase: Base = { revision: null, fields: null };

const chainOf = ({ id, baseRevision }: SyncedChange): string => `${id}:${String(baseRevision)}`;

const fieldsOf = (change: SyncedChange): NoteFields | null =>
  change.rule === 'sync_put' ? change.fields : null;

/** The version a change is based on: what an earlier change of the request sent, else the named revision. */
const baseOf = ({ texts }: BatchState, change: SyncedChange, sent: Map<string, Base>): Base => {
  const { id, baseRevision: revision } = change;
  const named = () => ({
    revision,
    fields: revision === null ? null : texts.find({ id, revision }),
  });
  return sent.get(chainOf(change)) ?? named();
};

/** The base for later changes. It has a revision only if the change was stored as sent. */
const baseForLaterChanges = (
  change: SyncedChange,
  { status, revision }: Pick<Outcome, 'status' | 'revision'>,
): Base => ({
  revision: ['applied', 'restored', 'unchanged'].includes(status) ? revision : null,
  fields: fieldsOf(change),
});

/** The outcome of a mutation that was applied before; null: a new mutation. */
const replayOf = ({ stagedNotes, mutations }: BatchState, change: Change): Outcome | null => {
  const stored = mutations.find(change);
  if (!stored) {
    return null;
  }
  const note = stagedNotes.find(stored.noteId);
  // An earlier release recorded what the change does, whatever the call was.
  if (![hashOf(change), changeHash(change)].includes(stored.hash())) {
    const error = {
      code: 'mutation_id_reused',
      detail: 'This mutationId was used for another change.',
    } as const;
    return {
      ...asRecorded(stored),
      status: 'rejected',
      revision: null,
      conflictNoteId: null,
      isReplay: false,
      error,
    };
  }
  return { ...asRecorded(stored), note: note?.revision === stored.revision ? note : null };
};

/** The outcome of a creation: the note of this title if there is one, else the new note. */
const withExisting = ({ titledNotes }: BatchState, change: CreateChange, outcome: Outcome) => {
  const existing = outcome.status === 'unchanged' ? titledNotes.find(change) : null;
  if (outcome.status === 'applied') {
    titledNotes.add(change, { id: change.id, revision: outcome.revision ?? 1 });
  }
  return existing ? { ...outcome, noteId: existing.id, revision: existing.revision } : outcome;
};

const asRecorded = ({ status, noteId, revision, conflictNoteId }: KnownMutation): Outcome => ({
  status,
  noteId,
  revision,
  conflictNoteId,
  note: null,
  wasActive: false,
  isReplay: true,
  error: null,
});

/** The client whose note is stored exactly as sent; null: it is not, or it came another way. */
const clientThatSent = (change: Change, status: Outcome['status']): string | null =>
  change.rule === 'sync_put' && (status === 'applied' || status === 'restored')
    ? change.mutation.clientId
    : null;

/** Where an edit changed the content. */
const placesOf = (now: StoredNote | null, fields: NoteFields | null): readonly ChangedPlace[] =>
  now && fields ? changedPlaces(now.content ?? '', fields.content) : [];

type ChangeInput = {
  readonly change: Change;
  readonly base: Base;
  readonly submission: WriteRequest;
};

/** What the rule of a change makes of the note. */
const applyTo = (
  now: StoredNote | null,
  state: BatchState,
  { change, base, submission }: ChangeInput,
): Decision =>
  now === null && state.foreignIds.has(change.id)
    ? rejected('cross_company', 'The note belongs to another company.')
    : applyRule(change, now, {
        textOf: (revision) => state.texts.find({ id: change.id, revision }),
        base,
        undone: state.undoneOf(change.id),
        merge: (put, ancestor, note) =>
          note.content === null
            ? null
            : state.merges.find(put, { base: ancestor, now: wholeOf(note) }),
        readOnly: () => (now ? presentReadOnly(now) : {}),
        noteOf: (id) => state.stagedNotes.find(id),
        existing: (create) => state.titledNotes.find(create),
        editText: (edit, note) => {
          const { content } = wholeOf(note);
          const edited = editText(edit, { content, revision: note.revision });
          return mayWriteIn(submission.grants ?? null, [note.folder], 'any')
            ? edited
            : addedText(edited);
        },
      });

const decide = (state: BatchState, { change, base, submission }: ChangeInput): Outcome => {
  const { stagedNotes, texts } = state;
  const now = stagedNotes.find(change.id);
  const made = applyTo(now, state, { change, base, submission });
  const decision = withinGrants(submission.grants ?? null, made, scopeOf(now, change));
  const { status, next, copy, error } = decision;
  const author = { ...submission.author, clientId: clientThatSent(change, status) };
  const note = next ? stagedNotes.advance(change.id, next, author) : now;
  if (decision.deletes) {
    const { revision } = stagedNotes.find(decision.deletes) ?? { revision: 0 };
    const tombstone = { fields: null, revision: revision + 1 };
    stagedNotes.advance(decision.deletes, tombstone, submission.author);
  }
  if (change.rule === 'undo' && next) {
    state.undone.push(change);
  }
  if (next?.fields && note) {
    texts.add(note, next.fields);
  }
  const outcome: Outcome = {
    status,
    revision: status === 'rejected' ? null : (note?.revision ?? null),
    // A client would take a deleted note for an active one: the pull brings the deletion.
    note: status === 'conflict' && !isActive(now) ? null : note,
    wasActive: isActive(now),
    conflictNoteId: copy && stagedNotes.createConflictCopy(copy, change.id, submission.author),
    isReplay: false,
    ...(change.rule === 'edit' && next ? { places: placesOf(now, next.fields) } : {}),
    error,
  };
  const reported = change.rule === 'create' ? withExisting(state, change, outcome) : outcome;
  if (mutationOf(change)) {
    state.mutations.record(change, reported);
  }
  return reported;
};
