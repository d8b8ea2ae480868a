import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CompanyId } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import { readInIndexOrder, type Db } from '@commonplace/db';
import { newMergeBudget, type Merger } from '../merge/create-merger.ts';
import { storedBudget, StoredTooMuchError } from '../limits/byte-budget.ts';
import { listStaleBases, type StaleBase } from '../queries/changes.ts';
import { listNoteSizes } from '../queries/note-sizes.ts';
import { listVersions, type VersionName } from '../queries/versions.ts';
import {
  notesOfChange,
  type UnparsedPut,
  type WriteRequest,
  type SubmittedChange,
} from './change.ts';
import { createMergeResults, type MergeResults } from './merge-results.ts';
import type { ParsePut } from './parse-put.ts';
import { createVersionCache, type VersionCache } from './version-cache.ts';

/** Merges made before the lock, and the texts they used. */
export type PreparedMerges = { readonly texts: VersionCache; readonly merges: MergeResults };

/** The stored versions a batch has to read, and their size. */
export type MergePlan = {
  readonly names: readonly VersionName[];
  readonly moved: readonly StaleBase[];
  readonly bytes: number;
};

/** Finds notes that changed since their client read them, and the size of edited ones. Reads sizes only. */
export const planMerges = async (
  db: Db,
  companyId: CompanyId,
  submissions: readonly Merging[],
): Promise<MergePlan> => {
  const changes = submissions.flatMap((submission) => submission.changes);
  const candidates = mergeableOf(submissions).map(baseOf);
  const restored = changes.filter((change) => change.rule === 'restore').flatMap(versionToRestore);
  const moved =
    candidates.length === 0
      ? []
      : await readInIndexOrder(db, companyId, (tx) => listStaleBases(tx, candidates));
  const names = moved.flatMap(({ id, base, now }) => [
    { id, revision: base },
    { id, revision: now },
  ]);
  return {
    names: [...restored, ...names],
    moved,
    bytes:
      bytesOf(moved) +
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
  const sizes = await readInIndexOrder(db, companyId, (tx) => listNoteSizes(tx, ids));
  const sizeOf = new Map(
    sizes.map(({ id, size, deletedAt }) => [id, deletedAt === null ? size : 0]),
  );
  return edited.reduce((sum, id) => sum + (sizeOf.get(id) ?? 0), 0);
};

type Merging = Pick<WriteRequest, 'changes' | 'mergeBudget'>;

/** The changes that may need a merge, of requests with merge time left. */
export const mergeableOf = (submissions: readonly Merging[]): readonly Mergeable[] =>
  submissions.flatMap(({ changes, mergeBudget }) =>
    mergeBudget && mergeBudget.msLeft <= 0 ? [] : changes.filter(mayMerge),
  );

const bytesOf = (moved: readonly StaleBase[]): number =>
  moved.reduce((sum, { bytes }) => sum + bytes, 0);

type Preparing = {
  readonly submissions: readonly WriteRequest[];
  readonly plan: MergePlan;
  readonly parsePut: ParsePut;
};

/** Yield to the event loop after this time. */
const yieldAfterMs = 2;

/**
 * Merges optimistically, without a lock, every change whose note changed since its client read it. Only notes
 * that change again before the lock are merged a second time, under the lock.
 */
export const prepareMerges = async (
  { db, merger }: { readonly db: Db; readonly merger: Merger },
  companyId: CompanyId,
  { submissions, plan, parsePut }: Preparing,
): Promise<PreparedMerges> => {
  const texts = createVersionCache();
  const merges = createMergeResults(merger);
  if (plan.names.length > 0) {
    const versions = await readInIndexOrder(db, companyId, (tx) =>
      listVersions(tx, plan.names, storedBudget.transactionBytes),
    );
    assertTogether(
      submissions,
      versions.some(({ content }) => content === null),
    );
    texts.addRows(versions);
  }
  if (plan.moved.length > 0) {
    await makeAll({ texts, merges }, { submissions, plan, parsePut });
  }
  return { texts, merges };
};

const makeAll = async (
  { texts, merges }: PreparedMerges,
  { submissions, plan, parsePut }: Preparing,
): Promise<void> => {
  const revisionOf = new Map(plan.moved.map(({ id, now }) => [id, now]));
  let yieldAt = performance.now() + yieldAfterMs;
  for (const { changes, mergeBudget = newMergeBudget() } of submissions) {
    for (const change of changes.filter(mayMerge)) {
      const revision = revisionOf.get(change.id) ?? 0;
      const base = texts.find(baseOf(change));
      const now = texts.find({ id: change.id, revision });
      const put = base && now ? parsePut(change) : null;
      if (base && now && put && 'fields' in put) {
        await merges.make(put, { base, now, revision }, mergeBudget);
      }
      if (performance.now() > yieldAt) {
        await yieldToEventLoop();
        yieldAt = performance.now() + yieldAfterMs;
      }
    }
  }
};

/** Throws when requests that share a transaction exceed its read limit; each is then written alone. */
export const assertTogether = (submissions: readonly WriteRequest[], isCut: boolean): void => {
  if (isCut && submissions.length > 1) {
    throw new StoredTooMuchError();
  }
};

/** The versions that changes are based on or restore: their texts may be needed under the lock. */
export const versionsInvolved = (submissions: readonly Merging[]): VersionName[] => [
  ...submissions.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.rule === 'restore' ? versionToRestore(change) : [])),
  ),
  ...mergeableOf(submissions).map(baseOf),
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
