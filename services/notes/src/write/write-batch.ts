import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId, type AppError, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import { withCompanyInIndexOrder, type CompanyTx, type Db } from '@commonplace/db';
import type { Merger } from '../merge/create-merger.ts';
import { isActive } from '../rules/note-state.ts';
import { storedBudget, StoredTooMuchError, type ReserveBytes } from '../limits/byte-budget.ts';
import { expired, isCurrent } from '../rules/sync-cursor.ts';
import {
  claimIds,
  listIdsOfOtherCompanies,
  listNotesById,
  listPurgedNotes,
} from '../queries/notes.ts';
import { insertFeed, lockFeed, updateFeed, type FeedRow } from '../queries/feed.ts';
import { insertMutations, listMutations } from '../queries/mutations.ts';
import { hasContent } from '../queries/note-rows.ts';
import { awaitStatements, createVersionWriter, type VersionWriter } from './version-writer.ts';
import { isSynced, type Outcome, type WriteRequest, type SubmittedChange } from './change.ts';
import { decideChanges, type BatchState } from './decide-changes.ts';
import { createMutationLog } from './mutation-log.ts';
import { loadContents } from './load-contents.ts';
import {
  planMerges,
  prepareMerges,
  type MergePlan,
  type PreparedMerges,
} from './prepare-merges.ts';
import { createPutParser, type ParsePut } from './parse-put.ts';
import { createVersionCache } from './version-cache.ts';
import { stageNotes } from './staged-notes.ts';

export type BatchDeps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly merger: Merger;
  /** Bounds what batches with much stored text hold at the same time. */
  readonly reserveBytes: ReserveBytes;
};

export type WrittenBatch = {
  /** For each submission, what became of its changes, or why none of them was looked at. */
  readonly outcomes: readonly (readonly Outcome[] | AppError)[];
  /** Whether it made any; otherwise the feed is where it was. */
  readonly hasVersions: boolean;
  /** The feed as the transaction left it. */
  readonly feed: FeedRow;
};

/**
 * Writes submissions of one company in one transaction: all of them or none. Three round trips and,
 * but for a few more statements where there are many versions of either kind, the same statements whatever the
 * number of changes:
 *
 * 1. lock the feed; then, in statements of their own and so with snapshots taken under the lock, read
 *    notes and mutations (all sent at once),
 * 2. decide everything in memory, and write it; of large batches the first notes while the last are decided,
 * 3. COMMIT.
 *
 * Whether an id is another company's is looked up for what only changes notes. New notes claim theirs in step 2,
 * and it hardly ever fails; then all is done again, with a look at every id.
 */
export const writeBatch = async (
  deps: BatchDeps,
  companyId: CompanyId,
  submissions: readonly WriteRequest[],
): Promise<WrittenBatch> => {
  const changes = submissions.flatMap((submission) => submission.changes);
  const plan = await planMerges(deps.db, companyId, submissions);
  if (plan.bytes > storedBudget.transactionBytes && submissions.length > 1) {
    throw new StoredTooMuchError();
  }
  const write = () => writePlanned(deps, companyId, { submissions, changes, plan });
  return plan.bytes > storedBudget.freeBytes ? deps.reserveBytes(plan.bytes, write) : write();
};

type Planned = {
  readonly submissions: readonly WriteRequest[];
  readonly changes: readonly SubmittedChange[];
  readonly plan: MergePlan;
};

const writePlanned = async (
  { db, clock, merger }: BatchDeps,
  companyId: CompanyId,
  { submissions, changes, plan }: Planned,
): Promise<WrittenBatch> => {
  const ids = [...new Set(changes.map(({ id }) => id))];
  const parsePut = createPutParser();
  const unclaimed = changes.filter(({ rule }) => rule !== 'unparsed_put').map(({ id }) => id);
  let tries = 0;
  const preparing = { submissions, plan, parsePut };
  const prepared = await prepareMerges({ db, merger }, companyId, preparing);
  return withCompanyInIndexOrder(db, companyId, async (tx) => {
    tries += 1;
    const suspects = tries === 1 ? unclaimed : ids;
    const task = { submissions, changes, ids, suspects, prepared, parsePut, at: clock() };
    const state = await loadBatchState(tx, task);
    const versions = createVersionWriter(tx, state.stagedNotes);
    // Where a note is changed again, only the end shows which version is its last.
    const isSentAtOnce = ids.length === changes.length;
    const sendDecided = () => (isSentAtOnce ? versions.sendFull() : undefined);
    const outcomes = await decideAll(state, submissions, sendDecided);
    return { outcomes, ...(await store(tx, state, versions)) };
  });
};

/** How many changes are decided, and for how long, before others get their turn; mostly it is the number. */
const atOnce = { changes: 25, ms: 2 } as const;

/** Decides all changes in their order; after some of them what is decided is sent, and others get their turn. */
const decideAll = async (
  state: LoadedBatchState,
  submissions: readonly WriteRequest[],
  sendDecided: () => void,
): Promise<WrittenBatch['outcomes']> => {
  const outcomes: (Outcome[] | AppError)[] = [];
  let decided = 0;
  let turnEndsAt = performance.now() + atOnce.ms;
  for (const submission of submissions) {
    if (submission.cursor && !isCurrent(submission.cursor, state.feed)) {
      outcomes.push(expired());
      continue;
    }
    const ofThis: Outcome[] = [];
    outcomes.push(ofThis);
    for (const outcome of decideChanges(state, submission)) {
      if (outcome instanceof Promise) {
        await outcome;
        continue;
      }
      ofThis.push(outcome);
      decided += 1;
      if (decided % atOnce.changes === 0 || performance.now() > turnEndsAt) {
        sendDecided();
        await nextTurn();
        turnEndsAt = performance.now() + atOnce.ms;
      }
    }
  }
  return outcomes;
};

type BatchInput = {
  readonly submissions: readonly WriteRequest[];
  readonly changes: readonly SubmittedChange[];
  /** Of the notes they change, each once. */
  readonly ids: readonly NoteId[];
  /** Of the ids, those that may be another company's. */
  readonly suspects: readonly NoteId[];
  readonly prepared: PreparedMerges;
  readonly parsePut: ParsePut;
  readonly at: Date;
};

type LoadedBatchState = BatchState & { readonly feed: FeedRow; readonly at: Date };

const loadBatchState = async (tx: CompanyTx, task: BatchInput): Promise<LoadedBatchState> => {
  const { changes, ids, suspects, prepared, parsePut, at } = task;
  const keys = changes.filter(isSynced).map(({ mutation }) => mutation);
  const [feed, read, purged, foreignIds, stored] = await Promise.all([
    lockFeed(tx),
    listNotesById(tx, ids),
    listPurgedNotes(tx, ids),
    suspects.length > 0 ? listIdsOfOtherCompanies(tx, suspects) : [],
    keys.length > 0 ? listMutations(tx, keys) : [],
  ]);
  if (!feed) {
    await insertFeed(tx, newId());
    return loadBatchState(tx, task);
  }
  const texts = createVersionCache(prepared.texts);
  const notes = await loadContents(tx, read, { ...task, texts });
  notes.forEach((note) => {
    if (isActive(note) && hasContent(note)) {
      texts.add(note, note);
    }
  });
  const stagedNotes = stageNotes({ companyId: tx.companyId, feed, notes, purged, at });
  return {
    merges: prepared.merges,
    texts,
    stagedNotes,
    mutations: createMutationLog(stored),
    foreignIds: new Set(foreignIds),
    parsePut,
    feed,
    at,
  };
};

/** Writes what is left of what was decided. */
const store = async (
  tx: CompanyTx,
  { stagedNotes, mutations, at }: LoadedBatchState,
  versions: VersionWriter,
): Promise<Omit<WrittenBatch, 'outcomes'>> => {
  const created = stagedNotes.created();
  const hasVersions = stagedNotes.hasVersions();
  // The versions first: while PostgreSQL writes them, what the others say is made ready.
  const written = await versions.sendRest();
  const recorded = mutations.recorded();
  const feed = stagedNotes.feed();
  const claiming = created.length > 0 ? claimIds(tx, created) : 0;
  await awaitStatements([
    ...written,
    claiming,
    recorded.length > 0 ? insertMutations(tx, recorded, at) : undefined,
    hasVersions ? updateFeed(tx, feed) : undefined,
  ]);
  if ((await claiming) < created.length) {
    throw new ClaimedElsewhereError();
  }
  return { hasVersions, feed };
};

/**
 * Another company has a note with the id of a new one. It carries the code of a serialization failure, so
 * the transaction is tried again, and then looks whose the ids are.
 */
class ClaimedElsewhereError extends Error {
  readonly code = '40001';

  constructor() {
    super('Another company claimed the id of a new note');
    this.name = 'ClaimedElsewhereError';
  }
}
