import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { mayPropose, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import { inIndexOrder, write, type CompanyTx, type Db } from '@commonplace/db';
import type { Merger } from '../merge/create-merger.ts';
import { storedBudget, StoredTooMuchError, type ReserveBytes } from '../limits/stored-budget.ts';
import { expired, isCurrent } from '../rules/sync-cursor.ts';
import { lockFeed, updateFeed, type FeedRow } from '../queries/feed.ts';
import { holdLeases } from '../queries/job-queue.ts';
import { insertDepartures } from '../queries/departures.ts';
import { insertMutations } from '../queries/mutations.ts';
import { endProposal, insertProposals, supersedeProposals } from '../queries/proposals.ts';
import { updateUndoNote } from '../queries/undo-notes.ts';
import { dropRepeatedTexts } from '../queries/version-texts.ts';
import { awaitStatements, createVersionWriter, type VersionWriter } from './version-writer.ts';
import { claimAll } from './claim-all.ts';
import { notesOfChange, type Outcome, type WriteRequest, type SubmittedChange } from './change.ts';
import { decideChanges } from './decide-changes.ts';
import { CostlyWorkError } from './costly-work.ts';
import { assertNoneEnded, EndedElsewhereError } from './ended-elsewhere.ts';
import { LeaseLostError } from './lease-lost.ts';
import { loadBatchState, type BatchInput, type LoadedBatchState } from './load-batch-state.ts';
import {
  planMerges,
  prepareMerges,
  type MergePlan,
  type PreparedMerges,
} from './prepare-merges.ts';
import { createPutParser } from './parse-put.ts';
import type { SharesTexts } from './shares-texts.ts';
import { titlesFirst } from './titled-notes.ts';

export type BatchDeps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly merger: Merger;
  /** Bounds the memory of concurrent batches that read much stored text. */
  readonly reserveBytes: ReserveBytes;
  /** Whether a text that the next version repeats, or begins with, is stored with that one only. */
  readonly sharesTexts: SharesTexts;
};

export type WrittenBatch = {
  /** For each request, the outcomes of its changes, or why none was decided. */
  readonly outcomes: readonly (readonly Outcome[] | Error)[];
  /** False: no note changed, and the feed has not moved. */
  readonly hasVersions: boolean;
  /** The feed after the transaction. */
  readonly feed: FeedRow;
};

/**
 * Writes requests of one company in one transaction, all or none. Takes three round trips; the number of
 * statements depends on the number of changes only for large batches:
 *
 * 1. Lock the feed. Read notes and mutations in separate, pipelined statements, so that their snapshots are
 *    taken under the lock.
 * 2. Decide everything in memory and write it. Large batches write their first notes while the last are decided.
 * 3. COMMIT.
 *
 * Ids of changes that cannot create a note are checked against other companies in step 1. New notes claim their
 * ids in step 2. If another company owns one, the transaction is retried with a check of every id.
 */
export const writeBatch = async (
  deps: BatchDeps,
  companyId: CompanyId,
  requests: readonly WriteRequest[],
): Promise<WrittenBatch> => {
  const changes = requests.flatMap((request) => request.changes);
  const plan = await planMerges(deps.db, companyId, requests);
  if (plan.bytes > storedBudget.transactionBytes && requests.length > 1) {
    throw new StoredTooMuchError();
  }
  const writeNow = () => writePlanned(deps, companyId, { requests, changes, plan });
  return plan.bytes > storedBudget.freeBytes ? deps.reserveBytes(plan.bytes, writeNow) : writeNow();
};

type Planned = {
  readonly requests: readonly WriteRequest[];
  readonly changes: readonly SubmittedChange[];
  readonly plan: MergePlan;
};

const writePlanned = async (
  { db, clock, merger, sharesTexts }: BatchDeps,
  companyId: CompanyId,
  { requests, changes, plan }: Planned,
): Promise<WrittenBatch> => {
  const ids = [...new Set(changes.flatMap(notesOfChange))];
  const parsePut = createPutParser();
  const unclaimed = requests.flatMap(idsThatNothingClaims);
  let attempts = 0;
  const preparing = { requests, plan, parsePut };
  const prepared = await prepareMerges({ db, merger }, companyId, preparing);
  const sharing = await sharesTexts();
  const [alone] = requests.length === 1 ? prepared.costly : [];
  if (alone) {
    throw new CostlyWorkError(alone);
  }
  return write(db, inIndexOrder(companyId), async (tx) => {
    attempts += 1;
    const idsToCheck = attempts === 1 ? unclaimed : ids;
    const input: BatchInput = {
      requests,
      changes,
      ids,
      idsToCheck,
      prepared,
      parsePut,
      isRetry: attempts > 1,
      at: clock(),
      sharing,
      readFeed: lockFeed,
    };
    const [state, leases] = await Promise.all([
      loadBatchState(tx, input),
      holdLeasesOf(tx, requests),
    ]);
    const versions = createVersionWriter(tx, state.stagedNotes);
    // When a note changes more than once, its last version is known only at the end.
    const isSentAtOnce =
      ids.length === changes.length && changes.every(({ rule }) => rule !== 'resolve');
    const sendDecided = () => (isSentAtOnce ? versions.flushFullParts() : undefined);
    const deciding = { requests, costly: prepared.costly, leases };
    const outcomes = await decideAll(state, deciding, sendDecided);
    await assertNoneEnded(tx, input, outcomes);
    return { outcomes, ...(await store(tx, state, versions)) };
  });
};

/** The notes of changes that insert no note which would claim its id: a proposal inserts none either. */
const idsThatNothingClaims = ({ changes, grants = null }: WriteRequest): NoteId[] =>
  changes.filter(({ rule }) => rule !== 'unparsed_put' || mayPropose(grants)).map(({ id }) => id);

/** The leases of jobs that are held; sent behind the lock of the company, so that the order of locks is the same. */
const holdLeasesOf = async (
  tx: CompanyTx,
  requests: readonly WriteRequest[],
): Promise<ReadonlySet<string>> => {
  const leases = requests.flatMap(({ lease }) => lease ?? []);
  return leases.length === 0 ? new Set() : holdLeases(tx, leases);
};

/** Yield to the event loop after this many changes or this time. */
const yieldAfter = { changes: 25, ms: 2 } as const;

type Deciding = Pick<Planned, 'requests'> &
  Pick<PreparedMerges, 'costly'> & { readonly leases: ReadonlySet<string> };

/** Decides all changes in order. Regularly sends what is decided, and yields to the event loop. */
const decideAll = async (
  state: LoadedBatchState,
  { requests, costly, leases }: Deciding,
  sendDecided: () => void,
): Promise<WrittenBatch['outcomes']> => {
  const outcomes = new Map<WriteRequest, Outcome[] | Error>();
  const pace = createPace(sendDecided);
  for (const request of titlesFirst(requests)) {
    if (request.cursor && !isCurrent(request.cursor, state.feed)) {
      outcomes.set(request, expired());
      continue;
    }
    if (request.lease && !leases.has(request.lease.leaseToken)) {
      outcomes.set(request, new LeaseLostError());
      continue;
    }
    outcomes.set(
      request,
      costly.has(request)
        ? new CostlyWorkError(request)
        : await decideRequest(state, request, pace),
    );
  }
  return requests.map((request) => outcomes.get(request) ?? []);
};

/**
 * The outcomes of one request. Throws when it needs the thread and some of its changes are staged already: then the
 * batch is written again without it. Costly edits are the first change of theirs.
 */
const decideRequest = async (
  state: LoadedBatchState,
  request: WriteRequest,
  pace: () => Promise<void>,
): Promise<Outcome[] | CostlyWorkError> => {
  const outcomes: Outcome[] = [];
  try {
    for await (const outcome of decideChanges(state, request)) {
      outcomes.push(outcome);
      await pace();
    }
    return outcomes;
  } catch (error) {
    if (!(error instanceof CostlyWorkError)) {
      throw error;
    }
    const leaving = new CostlyWorkError(request);
    if (outcomes.length === 0) {
      return leaving;
    }
    throw leaving;
  }
};

/** Called after each decided change: sends what is decided and yields to the event loop, from time to time. */
const createPace = (sendDecided: () => void): (() => Promise<void>) => {
  let decided = 0;
  let yieldAt = performance.now() + yieldAfter.ms;
  return async () => {
    decided += 1;
    if (decided % yieldAfter.changes === 0 || performance.now() > yieldAt) {
      sendDecided();
      await yieldToEventLoop();
      yieldAt = performance.now() + yieldAfter.ms;
    }
  };
};

/** Writes everything that was decided and is not sent yet. */
const store = async (
  tx: CompanyTx,
  { stagedNotes, mutations, proposals, undone, at }: LoadedBatchState,
  versions: VersionWriter,
): Promise<Omit<WrittenBatch, 'outcomes'>> => {
  const created = stagedNotes.created();
  const hasVersions = stagedNotes.hasVersions();
  // Versions first: the other statements are prepared while PostgreSQL writes them.
  const written = await versions.flushAll();
  const dropped = dropRepeatedTexts(tx, stagedNotes.droppedTexts());
  const recorded = mutations.recorded();
  const departures = stagedNotes.departures();
  const feed = stagedNotes.feed();
  const { inserted, superseded, accepted, ...proposed } = proposals.changes();
  const claiming = claimAll(tx, {
    // A proposed new note claims its id, so that edits of it are not taken for unknown.
    ids: [...created, ...inserted.map(({ id }) => id), ...proposed.newNotes],
    known: proposed.knownNotes,
  });
  const ending = [
    ...accepted.map((end) =>
      endProposal(tx, { ...end, state: 'accepted', decisionReason: null, at }),
    ),
    ...(superseded.length > 0 ? [supersedeProposals(tx, superseded, at)] : []),
  ];
  await awaitStatements([
    ...written,
    ...dropped,
    claiming,
    recorded.length > 0 ? insertMutations(tx, recorded, at) : undefined,
    departures.length > 0 ? insertDepartures(tx, departures, at) : undefined,
    ...undone.map(({ undoId, row }) => updateUndoNote(tx, undoId, row)),
    inserted.length > 0 ? insertProposals(tx, inserted) : undefined,
    ...ending,
    hasVersions ? updateFeed(tx, feed) : undefined,
  ]);
  if (!(await claiming)) {
    throw new ClaimedElsewhereError();
  }
  if ((await Promise.all(ending)).includes(false)) {
    throw new EndedElsewhereError();
  }
  return { hasVersions, feed };
};

/**
 * Another company owns the id of a new note. The code is that of a serialization failure, so that the
 * transaction is retried; the retry checks every id.
 */
class ClaimedElsewhereError extends Error {
  readonly code = '40001';

  constructor() {
    super('Another company claimed the id of a new note');
    this.name = 'ClaimedElsewhereError';
  }
}
