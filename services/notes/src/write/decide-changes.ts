import type { NoteFields } from '@commonplace/contracts/notes';
import type { StoredNote } from '../queries/note-rows.ts';
import { newMergeBudget } from '../merge/create-merger.ts';
import { chainOf } from '../rules/change-chain.ts';
import { baseToMerge, type Base } from '../rules/decide-sync.ts';
import { decideAcceptance } from '../rules/decide-acceptance.ts';
import { isTaken, rejected } from '../rules/decision.ts';
import { isActive, wholeOf } from '../rules/note-state.ts';
import { writeScopeOf, visibleBase, withinGrants } from '../rules/within-grants.ts';
import { changedPlaces, type ChangedPlace } from '../diff/changed-lines.ts';
import { admitChange, proposedNew } from './admit-change.ts';
import { applyChange, type ChangeInput } from './apply-change.ts';
import type { BatchState } from './batch-state.ts';
import {
  acceptanceOf,
  isSynced,
  mutationOf,
  type Change,
  type Outcome,
  type WriteRequest,
  type SyncedChange,
} from './change.ts';
import { changeHash, hashOf, type KnownMutation } from './mutation-log.ts';
import { proposeChange } from './propose-change.ts';
import { rejectionOf } from './rejection-of.ts';
import { withExisting } from './titled-notes.ts';

/**
 * Decides the changes of one request in order. A change with the same note and base as an earlier one is
 * based on what the earlier one sent. Yields one outcome at a time, so that decided changes are written
 * while later ones are decided. Yields fewer outcomes than changes only where the others depend on the first.
 */
export async function* decideChanges(
  state: BatchState,
  request: WriteRequest,
): AsyncGenerator<Outcome, void> {
  const { mergeBudget = newMergeBudget() } = request;
  const sent = new Map(
    request.priorChanges?.map(({ change, outcome }) => [
      chainOf(change),
      baseForLaterChanges(change, outcome),
    ]),
  );
  for (const [index, submitted] of request.changes.entries()) {
    const isNeeded = index === 0 && request.hasDependents === true;
    const change = submitted.rule === 'unparsed_put' ? state.parsePut(submitted) : submitted;
    if (!('rule' in change)) {
      yield change;
      continue;
    }
    const admitted = admitChange(state, request, change);
    if (admitted !== 'direct' || isOfOwnProposal(state, request, change)) {
      yield typeof admitted === 'string'
        ? (replayOf(state, change) ?? proposeChange(state, { change, request }))
        : admitted;
      if (isNeeded) {
        return;
      }
      continue;
    }
    const base = isSynced(change)
      ? visibleBase(request.grants ?? null, baseOf(state, change, sent))
      : noBase;
    const replay = replayOf(state, change);
    const toMerge = replay ? null : mergeCaseOf(state, change, base);
    const merged = toMerge && (await state.merge(toMerge.put, toMerge, mergeBudget));
    const outcome = replay ?? decide(state, { change, base, request, merged });
    if (isSynced(change) && isTaken(outcome.status)) {
      sent.set(chainOf(change), baseForLaterChanges(change, outcome));
    }
    yield outcome;
    if (isNeeded && (outcome.status !== 'applied' || outcome.isReplay)) {
      return;
    }
  }
}

/**
 * Whether an edit is of a new note that its sender has proposed: it continues that proposal, also where the sender writes
 * at once now.
 */
const isOfOwnProposal = (state: BatchState, { author }: WriteRequest, change: Change): boolean =>
  state.stagedNotes.find(change.id) === null && proposedNew(state, author, change) !== null;

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
const replayOf = (state: BatchState, change: Change): Outcome | null => {
  const { stagedNotes, mutations } = state;
  const stored = mutations.find(change);
  if (!stored) {
    return null;
  }
  const note = stagedNotes.find(stored.noteId);
  // An earlier release recorded what the change does, whatever the call was.
  if (![hashOf(change), changeHash(change)].includes(stored.hash())) {
    return {
      ...rejectionOf(
        rejected('mutation_id_reused', 'This mutationId was used for another change.'),
      ),
      noteId: stored.noteId,
    };
  }
  const proposal = stored.proposalId && state.proposals.find(stored.proposalId);
  if (stored.status === 'proposed' && !proposal) {
    return rejectionOf(
      rejected('not_found', 'The change was proposed, and the proposal is gone since.'),
    );
  }
  return {
    ...asRecorded(stored),
    note: note?.revision === stored.revision ? note : null,
    ...(proposal ? { proposal } : {}),
    // The first time it was one that the sender had proposed before.
    ...(proposal && change.rule === 'create' && stored.noteId !== proposal.noteId
      ? { isProposedAlready: true }
      : {}),
  };
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
  change.rule === 'sync_put' &&
  !change.acceptance &&
  (status === 'applied' || status === 'restored')
    ? change.mutation.clientId
    : null;

/** Where an edit changed the content. */
const placesOf = (now: StoredNote | null, fields: NoteFields | null): readonly ChangedPlace[] =>
  now && fields ? changedPlaces(now.content ?? '', fields.content) : [];

const decide = (
  state: BatchState,
  { change, base, request, merged = null }: ChangeInput,
): Outcome => {
  const { stagedNotes, texts } = state;
  const now = stagedNotes.find(change.id);
  const made = applyChange(now, state, { change, base, request, merged });
  const acceptance = acceptanceOf(change);
  const scope = () => writeScopeOf(now, change);
  const decision = acceptance
    ? decideAcceptance(now, made, acceptance)
    : withinGrants(request.grants ?? null, made, { scope, mode: 'direct' });
  const { status, next, copy, error } = decision;
  const writer = acceptance?.author ?? request.author;
  const author = { ...writer, clientId: clientThatSent(change, status) };
  const note = next ? stagedNotes.advance(change.id, next, author) : now;
  if (decision.deletes) {
    const { revision } = stagedNotes.find(decision.deletes) ?? { revision: 0 };
    const tombstone = { fields: null, revision: revision + 1 };
    stagedNotes.advance(decision.deletes, tombstone, request.author);
  }
  if (change.rule === 'undo' && next) {
    state.undone.push(change);
  }
  const revision = next && note ? note.revision : null;
  const end = { revision, decidedBy: request.author };
  const isAccepted = acceptance && status !== 'rejected';
  const accepted = isAccepted ? state.proposals.accept(acceptance.proposalId, end) : null;
  if (next?.fields && note) {
    texts.add(note, next.fields);
  }
  const outcome: Outcome = {
    status,
    revision: status === 'rejected' ? null : (note?.revision ?? null),
    // A client would take a deleted note for an active one: the pull brings the deletion.
    note: status === 'conflict' && !isActive(now) ? null : note,
    wasActive: isActive(now),
    conflictNoteId: copy && stagedNotes.createConflictCopy(copy, change.id, request.author),
    isReplay: false,
    ...(accepted ? { proposal: accepted } : {}),
    ...(change.rule === 'edit' && next ? { places: placesOf(now, next.fields) } : {}),
    error,
  };
  const reported =
    change.rule === 'create' ? withExisting(state.titledNotes, change, outcome) : outcome;
  if (mutationOf(change)) {
    state.mutations.record(change, reported);
  }
  return reported;
};
