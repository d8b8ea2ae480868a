import { createYieldInTime, type YieldInTime } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import { newMergeBudget, type MergeBudget, type Merger } from '../merge/create-merger.ts';
import { storedBudget, StoredTooMuchError } from '../limits/stored-budget.ts';
import { listStaleBases, type StaleBase } from '../queries/changes.ts';
import { listNoteSizes } from '../queries/note-sizes.ts';
import type { VersionName } from '../queries/version-texts.ts';
import { listVersions } from '../queries/versions.ts';
import {
  notesOfChange,
  type UnparsedPut,
  type WriteRequest,
  type SubmittedChange,
} from './change.ts';
import { CostlyWorkError } from './costly-work.ts';
import type { MadeMerges } from './made-merges.ts';
import { createMerge, type Merge, type MergeCostly } from './merges.ts';
import type { ParsePut } from './parse-put.ts';
import { createVersionCache, type VersionCache } from './version-cache.ts';

/** Merges made before the lock, and the texts they used. */
export type PreparedMerges = {
  readonly texts: VersionCache;
  readonly merge: Merge;
  /** The requests that need the thread, which are not written in this batch. */
  readonly costly: ReadonlySet<WriteRequest>;
};

/** The stored versions a batch has to read, and their size. */
export type MergePlan = {
  readonly names: readonly VersionName[];
  readonly staleBases: readonly StaleBase[];
  readonly bytes: number;
};

/** Finds notes that changed since their client read them, and the size of edited ones. Reads sizes only. */
export const planMerges = async (
  db: Db,
  companyId: CompanyId,
  requests: readonly Merging[],
): Promise<MergePlan> => {
  const changes = requests.flatMap((request) => request.changes);
  const candidates = mergeableOf(requests.filter((request) => !request.hasFreshBases)).map(baseOf);
  const restored = changes.filter((change) => change.rule === 'restore').flatMap(versionToRestore);
  const staleBases =
    candidates.length === 0
      ? []
      : await read(db, inIndexOrder(companyId), (tx) => listStaleBases(tx, candidates));
  const names = staleBases.flatMap(({ id, base, now }) => [
    { id, revision: base },
    { id, revision: now },
  ]);
  return {
    names: [...restored, ...names],
    staleBases,
    bytes:
      bytesOf(staleBases) +
      restored.length * noteLimits.contentBytesMax +
      (await bytesOfEdits(db, companyId, changes)),
  };
};

/** The stored bytes that edits read and write again. A single edit needs no count: it is one note. */
const bytesOfEdits = async (
  db: Db,
  companyId: CompanyId,
  changes: readonly SubmittedChange[],
): Promise<number> => {
  const edited = changes
    .filter(({ rule }) => rule === 'edit' || rule === 'resolve')
    .flatMap(notesOfChange);
  if (edited.length < 2) {
    return 0;
  }
  const ids = [...new Set(edited)];
  const sizes = await read(db, inIndexOrder(companyId), (tx) => listNoteSizes(tx, ids));
  const sizeOf = new Map(
    sizes.map(({ id, size, deletedAt }) => [id, deletedAt === null ? size : 0]),
  );
  return edited.reduce((sum, id) => sum + (sizeOf.get(id) ?? 0), 0);
};

type Merging = Pick<WriteRequest, 'changes' | 'mergeBudget' | 'merges' | 'hasFreshBases'>;

/** The changes that may need a merge, of requests with merge time left; without, those whose merge is made already. */
export const mergeableOf = (requests: readonly Merging[]): readonly Mergeable[] =>
  requests.flatMap(({ changes, mergeBudget, merges }) => {
    const mergeable = changes.filter(mayMerge);
    return mergeBudget && mergeBudget.msLeft <= 0
      ? mergeable.filter(({ mutation }) => merges?.has(mutation))
      : mergeable;
  });

const bytesOf = (staleBases: readonly StaleBase[]): number =>
  staleBases.reduce((sum, { bytes }) => sum + bytes, 0);

type Preparing = {
  readonly requests: readonly WriteRequest[];
  readonly plan: MergePlan;
  readonly parsePut: ParsePut;
};

/** Yield to the event loop after this time. */
const yieldAfterMs = 2;

/**
 * Makes the cheap merges optimistically, without a lock, of every change whose note changed since its client read it.
 * Notes that change again before the lock are merged a second time, under the lock if that is cheap. A request with a
 * costly merge leaves the batch; when it is back, whether it needs another one is found under the lock.
 */
export const prepareMerges = async (
  { db, merger }: { readonly db: Db; readonly merger: Merger },
  companyId: CompanyId,
  { requests, plan, parsePut }: Preparing,
): Promise<PreparedMerges> => {
  const texts = createVersionCache();
  const made: MadeMerges = new Map(requests.flatMap(({ merges = [] }) => [...merges]));
  const merge = createMerge(merger.mergeNow, leaveToThread(merger), made);
  if (plan.names.length > 0) {
    const versions = await read(db, inIndexOrder(companyId), (tx) =>
      listVersions(tx, plan.names, storedBudget.transactionBytes),
    );
    assertTogether(
      requests,
      versions.some(({ content }) => content === null),
    );
    texts.addRows(versions);
  }
  const costly = new Set<WriteRequest>();
  if (plan.staleBases.length > 0) {
    const make = makerOf({ texts, merge }, { plan, parsePut });
    const yieldInTime = createYieldInTime(yieldAfterMs);
    for (const request of requests) {
      const outcome = await makeCheap(request, make, yieldInTime);
      if (outcome === 'costly' && !request.merges) {
        costly.add(request);
      }
    }
  }
  return { texts, merge, costly };
};

/** Nothing waits for the thread here. A request without time keeps both sides. */
const leaveToThread =
  (merger: Merger): MergeCostly =>
  async (sides, budget) => {
    if (budget.msLeft > 0) {
      throw new CostlyWorkError();
    }
    return merger.merge(sides, budget);
  };

type MakeMerge = (change: Mergeable, budget: MergeBudget) => Promise<void>;

/** Makes the merge of a change with the note as it was read before the lock. */
const makerOf = (
  { texts, merge }: Pick<PreparedMerges, 'texts' | 'merge'>,
  { plan, parsePut }: Pick<Preparing, 'plan' | 'parsePut'>,
): MakeMerge => {
  const revisionOf = new Map(plan.staleBases.map(({ id, now }) => [id, now]));
  return async (change, budget) => {
    const base = texts.find(baseOf(change));
    const now = texts.find({ id: change.id, revision: revisionOf.get(change.id) ?? 0 });
    const put = base && now ? parsePut(change) : null;
    if (base && now && put && 'fields' in put) {
      await merge(put, { base, now }, budget);
    }
  };
};

/** Makes the merges of a request up to the first costly one. */
const makeCheap = async (
  { changes, mergeBudget = newMergeBudget() }: WriteRequest,
  make: MakeMerge,
  yieldInTime: YieldInTime,
): Promise<'made' | 'costly'> => {
  for (const change of changes.filter(mayMerge)) {
    try {
      await make(change, mergeBudget);
    } catch (error) {
      if (error instanceof CostlyWorkError) {
        return 'costly';
      }
      throw error;
    }
    await yieldInTime();
  }
  return 'made';
};

/** Throws when requests that share a transaction exceed its read limit; each is then written alone. */
export const assertTogether = (requests: readonly WriteRequest[], isCut: boolean): void => {
  if (isCut && requests.length > 1) {
    throw new StoredTooMuchError();
  }
};

/** The versions that changes are based on or restore: their texts may be needed under the lock. */
export const versionsInvolved = (requests: readonly Merging[]): VersionName[] => [
  ...requests.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.rule === 'restore' ? versionToRestore(change) : [])),
  ),
  ...mergeableOf(requests).map(baseOf),
];

export type Mergeable = UnparsedPut & { readonly baseRevision: number };

/** Whether a change may have to be merged with a newer version of its note. */
export const mayMerge = (change: SubmittedChange): change is Mergeable =>
  change.rule === 'unparsed_put' && change.onConflict === 'merge' && change.baseRevision !== null;

const baseOf = (change: Mergeable): VersionName => ({
  id: change.id,
  revision: change.baseRevision,
});

const versionToRestore = ({ id, revision }: VersionToRestore): VersionName[] =>
  revision === null ? [] : [{ id, revision }];

type VersionToRestore = { readonly id: VersionName['id']; readonly revision: number | null };
