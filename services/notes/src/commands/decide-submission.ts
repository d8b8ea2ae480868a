import type { NoteId } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import { newMergeBudget } from '../merge/create-merger.ts';
import { baseToMerge, type Base } from '../policy/decide-sync-put.ts';
import { refused, type Decision } from '../policy/decision.ts';
import { isLiving, wholeOf } from '../policy/note-state.ts';
import {
  isSynced,
  type Change,
  type Outcome,
  type Submission,
  type SyncedChange,
} from './change.ts';
import { judgeChange } from './judge-change.ts';
import { hashOf, type KnownMutation, type MutationLog } from './mutation-log.ts';
import type { Merges } from './merges.ts';
import type { ReadPut } from './read-put.ts';
import type { VersionTexts } from './version-texts.ts';
import type { Workspace } from './workspace.ts';

/** Everything a transaction decides by. */
export type Bench = {
  readonly texts: VersionTexts;
  readonly merges: Merges;
  readonly workspace: Workspace;
  readonly mutations: MutationLog;
  readonly foreignIds: ReadonlySet<NoteId>;
  readonly readPut: ReadPut;
};

/**
 * Decides the changes of one request in their order. A later change of a note with the base of an
 * earlier one follows that one: it was made on top of what the earlier one sent. One outcome at a time, so
 * that what is decided can be written while the rest is not; between them comes what has to be waited for.
 */
export function* decideSubmission(
  bench: Bench,
  submission: Submission,
): Generator<Outcome | Promise<void>, void> {
  const { mergeBudget = newMergeBudget() } = submission;
  const sent = new Map(
    submission.earlier?.map(({ change, outcome }) => [
      chainOf(change),
      baseForFollowers(change, outcome),
    ]),
  );
  for (const submitted of submission.changes) {
    const change = submitted.rule === 'sent_put' ? bench.readPut(submitted) : submitted;
    if (!('rule' in change)) {
      yield change;
      continue;
    }
    const base = isSynced(change) ? baseOf(bench, change, sent) : nowhere;
    const replay = replayed(bench, change);
    const toMerge = replay ? null : mergeCaseOf(bench, change, base);
    if (toMerge && !bench.merges.isMade(toMerge.put, toMerge)) {
      yield bench.merges.make(toMerge.put, toMerge, mergeBudget);
    }
    const outcome = replay ?? decide(bench, { change, base, submission });
    if (isSynced(change) && outcome.status !== 'rejected') {
      sent.set(chainOf(change), baseForFollowers(change, outcome));
    }
    yield outcome;
  }
}

/** What a change has to be merged over; null: nothing, or what was too large to be read. */
const mergeCaseOf = ({ workspace }: Bench, change: Change, base: Base) => {
  const now = workspace.find(change.id);
  if (change.rule !== 'sync_put' || !now || now.content === null) {
    return null;
  }
  const ancestor = baseToMerge(now, { ...change, base });
  return ancestor && { put: change, base: ancestor, now: wholeOf(now), revision: now.revision };
};

const nowhere: Base = { revision: null, fields: null };

const chainOf = ({ id, baseRevision }: SyncedChange): string => `${id}:${String(baseRevision)}`;

const fieldsOf = (change: SyncedChange): NoteFields | null =>
  change.rule === 'sync_put' ? change.fields : null;

/** The version a change was made on: what an earlier one of this request sent, else the named one. */
const baseOf = ({ texts }: Bench, change: SyncedChange, sent: Map<string, Base>): Base => {
  const { id, baseRevision: revision } = change;
  const named = () => ({
    revision,
    fields: revision === null ? null : texts.find({ id, revision }),
  });
  return sent.get(chainOf(change)) ?? named();
};

/** What was sent is a revision of its own only when it was stored as it was. */
const baseForFollowers = (
  change: SyncedChange,
  { status, revision }: Pick<Outcome, 'status' | 'revision'>,
): Base => ({
  revision: ['applied', 'restored', 'unchanged'].includes(status) ? revision : null,
  fields: fieldsOf(change),
});

/** The answer to a mutation that was seen before; null for a new one. */
const replayed = ({ workspace, mutations }: Bench, change: Change): Outcome | null => {
  const stored = isSynced(change) ? mutations.find(change) : null;
  if (!stored || !isSynced(change)) {
    return null;
  }
  const note = workspace.find(change.id);
  if (stored.hash() !== hashOf(change)) {
    const error = {
      code: 'mutation_id_reused',
      detail: 'This mutationId was used for another change.',
    } as const;
    return {
      ...asBefore(stored),
      status: 'rejected',
      revision: null,
      conflictNoteId: null,
      isReplay: false,
      error,
    };
  }
  return { ...asBefore(stored), note: note?.revision === stored.revision ? note : null };
};

const asBefore = ({ status, revision, conflictNoteId }: KnownMutation): Outcome => ({
  status,
  revision,
  conflictNoteId,
  note: null,
  wasLiving: false,
  isReplay: true,
  error: null,
});

type Case = { readonly change: Change; readonly base: Base; readonly submission: Submission };

const decide = (bench: Bench, { change, base, submission }: Case): Outcome => {
  const { workspace, texts } = bench;
  const now = workspace.find(change.id);
  const decision: Decision =
    now === null && bench.foreignIds.has(change.id)
      ? refused('cross_company', 'The note belongs to another company.')
      : judgeChange(change, now, {
          textOf: (revision) => texts.find({ id: change.id, revision }),
          base,
          merge: (put, ancestor, { revision }) =>
            bench.merges.find(put, { base: ancestor, revision }),
        });
  const { status, next, copy, error } = decision;
  const note = next ? workspace.advance(change.id, next, submission.author) : now;
  if (next?.fields && note) {
    texts.add(note, next.fields);
  }
  const outcome: Outcome = {
    status,
    revision: status === 'rejected' ? null : (note?.revision ?? null),
    note,
    wasLiving: isLiving(now),
    conflictNoteId: copy && workspace.keepCopy(copy, change.id, submission.author),
    isReplay: false,
    error,
  };
  if (isSynced(change)) {
    bench.mutations.record(change, outcome);
  }
  return outcome;
};
