import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId, type AppError, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import { withCompanyInIndexOrder, type CompanyTx, type Db } from '@commonplace/db';
import type { Merger } from '../merge/create-merger.ts';
import { isLiving } from '../policy/note-state.ts';
import { storedBudget } from '../policy/stored-budget.ts';
import { expired, isCurrent } from '../policy/sync-cursor.ts';
import { claimIds } from '../queries/claim-ids.ts';
import type { FeedRow } from '../queries/feed-row.ts';
import { insertFeed } from '../queries/insert-feed.ts';
import { insertMutations } from '../queries/insert-mutations.ts';
import { listForeignIds } from '../queries/list-foreign-ids.ts';
import { listMutations } from '../queries/list-mutations.ts';
import { listNotesById } from '../queries/list-notes-by-id.ts';
import { hasContent } from '../queries/note-row.ts';
import { listPurgedNotes } from '../queries/list-purged-notes.ts';
import { lockFeed } from '../queries/lock-feed.ts';
import { updateFeed } from '../queries/update-feed.ts';
import { allSent } from './all-sent.ts';
import { isSynced, type Outcome, type Submission, type SubmittedChange } from './change.ts';
import type { HoldBytes } from './byte-budget.ts';
import { decideSubmission, type Bench } from './decide-submission.ts';
import { openMutationLog } from './mutation-log.ts';
import { loadContents } from './load-contents.ts';
import {
  planMerges,
  prepareMerges,
  type MergePlan,
  type PreparedMerges,
} from './prepare-merges.ts';
import { createPutReader, type ReadPut } from './read-put.ts';
import { openVersionStore, type VersionStore } from './version-store.ts';
import { StoredTooMuchError } from './stored-too-much.ts';
import { createVersionTexts } from './version-texts.ts';
import { openWorkspace } from './workspace.ts';

export type BatchDeps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly merger: Merger;
  /** Bounds what batches with much stored text hold at the same time. */
  readonly holdBytes: HoldBytes;
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
  submissions: readonly Submission[],
): Promise<WrittenBatch> => {
  const changes = submissions.flatMap((submission) => submission.changes);
  const plan = await planMerges(deps.db, companyId, submissions);
  if (plan.bytes > storedBudget.transactionBytes && submissions.length > 1) {
    throw new StoredTooMuchError();
  }
  const write = () => writePlanned(deps, companyId, { submissions, changes, plan });
  return plan.bytes > storedBudget.freeBytes ? deps.holdBytes(plan.bytes, write) : write();
};

type Planned = {
  readonly submissions: readonly Submission[];
  readonly changes: readonly SubmittedChange[];
  readonly plan: MergePlan;
};

const writePlanned = async (
  { db, clock, merger }: BatchDeps,
  companyId: CompanyId,
  { submissions, changes, plan }: Planned,
): Promise<WrittenBatch> => {
  const ids = [...new Set(changes.map(({ id }) => id))];
  const readPut = createPutReader();
  const unclaimed = changes.filter(({ rule }) => rule !== 'sent_put').map(({ id }) => id);
  let tries = 0;
  const preparing = { submissions, plan, readPut };
  const prepared = await prepareMerges({ db, merger }, companyId, preparing);
  return withCompanyInIndexOrder(db, companyId, async (tx) => {
    tries += 1;
    const suspects = tries === 1 ? unclaimed : ids;
    const task = { submissions, changes, ids, suspects, prepared, readPut, at: clock() };
    const bench = await openBench(tx, task);
    const versions = openVersionStore(tx, bench.workspace);
    // Where a note is changed again, only the end shows which version is its last.
    const isSentAtOnce = ids.length === changes.length;
    const sendDecided = () => (isSentAtOnce ? versions.sendFull() : undefined);
    const outcomes = await decideAll(bench, submissions, sendDecided);
    return { outcomes, ...(await store(tx, bench, versions)) };
  });
};

/** How many changes are decided, and for how long, before others get their turn; mostly it is the number. */
const atOnce = { changes: 25, ms: 2 } as const;

/** Decides all changes in their order; after some of them what is decided is sent, and others get their turn. */
const decideAll = async (
  bench: OpenBench,
  submissions: readonly Submission[],
  sendDecided: () => void,
): Promise<WrittenBatch['outcomes']> => {
  const outcomes: (Outcome[] | AppError)[] = [];
  let decided = 0;
  let turnEndsAt = performance.now() + atOnce.ms;
  for (const submission of submissions) {
    if (submission.cursor && !isCurrent(submission.cursor, bench.feed)) {
      outcomes.push(expired());
      continue;
    }
    const ofThis: Outcome[] = [];
    outcomes.push(ofThis);
    for (const outcome of decideSubmission(bench, submission)) {
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

type Task = {
  readonly submissions: readonly Submission[];
  readonly changes: readonly SubmittedChange[];
  /** Of the notes they change, each once. */
  readonly ids: readonly NoteId[];
  /** Of the ids, those that may be another company's. */
  readonly suspects: readonly NoteId[];
  readonly prepared: PreparedMerges;
  readonly readPut: ReadPut;
  readonly at: Date;
};

type OpenBench = Bench & { readonly feed: FeedRow; readonly at: Date };

const openBench = async (tx: CompanyTx, task: Task): Promise<OpenBench> => {
  const { changes, ids, suspects, prepared, readPut, at } = task;
  const keys = changes.filter(isSynced).map(({ mutation }) => mutation);
  const [feed, read, purged, foreignIds, stored] = await Promise.all([
    lockFeed(tx),
    listNotesById(tx, ids),
    listPurgedNotes(tx, ids),
    suspects.length > 0 ? listForeignIds(tx, suspects) : [],
    keys.length > 0 ? listMutations(tx, keys) : [],
  ]);
  if (!feed) {
    await insertFeed(tx, newId());
    return openBench(tx, task);
  }
  const texts = createVersionTexts(prepared.texts);
  const notes = await loadContents(tx, read, { ...task, texts });
  notes.forEach((note) => {
    if (isLiving(note) && hasContent(note)) {
      texts.add(note, note);
    }
  });
  const workspace = openWorkspace({ companyId: tx.companyId, feed, notes, purged, at });
  return {
    merges: prepared.merges,
    texts,
    workspace,
    mutations: openMutationLog(stored),
    foreignIds: new Set(foreignIds),
    readPut,
    feed,
    at,
  };
};

/** Writes what is left of what was decided. */
const store = async (
  tx: CompanyTx,
  { workspace, mutations, at }: OpenBench,
  versions: VersionStore,
): Promise<Omit<WrittenBatch, 'outcomes'>> => {
  const created = workspace.created();
  const hasVersions = workspace.hasVersions();
  // The versions first: while PostgreSQL writes them, what the others say is made ready.
  const written = await versions.sendRest();
  const recorded = mutations.recorded();
  const feed = workspace.feed();
  const claiming = created.length > 0 ? claimIds(tx, created) : 0;
  await allSent([
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
