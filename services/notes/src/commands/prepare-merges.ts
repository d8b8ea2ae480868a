import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompanyId } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import { readInCompany, readInIndexOrder, type Db } from '@commonplace/db';
import { newMergeBudget, type Merger } from '../merge/create-merger.ts';
import { storedBudget } from '../policy/stored-budget.ts';
import { listMovedNotes, type MovedNote } from '../queries/list-moved-notes.ts';
import { listVersions, type VersionName } from '../queries/list-versions.ts';
import type { SentPut, Submission, SubmittedChange } from './change.ts';
import { openMerges, type Merges } from './merges.ts';
import type { ReadPut } from './read-put.ts';
import { StoredTooMuchError } from './stored-too-much.ts';
import { createVersionTexts, type VersionTexts } from './version-texts.ts';

/** Merges made before the lock, and the texts they were made of. */
export type PreparedMerges = { readonly texts: VersionTexts; readonly merges: Merges };

/** What a batch has to read of stored versions, and how many bytes that is. */
export type MergePlan = {
  readonly names: readonly VersionName[];
  readonly moved: readonly MovedNote[];
  readonly bytes: number;
};

/** Looks for what has moved on since its client read it. Only sizes are read. */
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
      : await readInIndexOrder(db, companyId, (tx) => listMovedNotes(tx, candidates));
  const names = moved.flatMap(({ id, base, now }) => [
    { id, revision: base },
    { id, revision: now },
  ]);
  return {
    names: [...restored, ...names],
    moved,
    bytes: bytesOf(moved) + restored.length * noteLimits.contentBytesMax,
  };
};

type Merging = Pick<Submission, 'changes' | 'mergeBudget'>;

/** What may have to be merged, of requests that may merge anything more. */
export const mergeableOf = (submissions: readonly Merging[]): readonly Mergeable[] =>
  submissions.flatMap(({ changes, mergeBudget }) =>
    mergeBudget && mergeBudget.msLeft <= 0 ? [] : changes.filter(mayMerge),
  );

const bytesOf = (moved: readonly MovedNote[]): number =>
  moved.reduce((sum, { bytes }) => sum + bytes, 0);

type Preparing = {
  readonly submissions: readonly Submission[];
  readonly plan: MergePlan;
  readonly readPut: ReadPut;
};

/** For how long merges are made before others get their turn. */
const atOnceMs = 2;

/**
 * Merges optimistically, without any lock, whatever has moved on since its client read it. Under the
 * lock only what moved again in between is merged once more.
 */
export const prepareMerges = async (
  { db, merger }: { readonly db: Db; readonly merger: Merger },
  companyId: CompanyId,
  { submissions, plan, readPut }: Preparing,
): Promise<PreparedMerges> => {
  const texts = createVersionTexts();
  const merges = openMerges(merger);
  if (plan.names.length > 0) {
    const versions = await readInCompany(db, companyId, (tx) =>
      listVersions(tx, plan.names, storedBudget.transactionBytes),
    );
    assertTogether(
      submissions,
      versions.some(({ content }) => content === null),
    );
    texts.addRows(versions);
  }
  if (plan.moved.length > 0) {
    await makeAll({ texts, merges }, { submissions, plan, readPut });
  }
  return { texts, merges };
};

const makeAll = async (
  { texts, merges }: PreparedMerges,
  { submissions, plan, readPut }: Preparing,
): Promise<void> => {
  const revisionOf = new Map(plan.moved.map(({ id, now }) => [id, now]));
  let turnEndsAt = performance.now() + atOnceMs;
  for (const { changes, mergeBudget = newMergeBudget() } of submissions) {
    for (const change of changes.filter(mayMerge)) {
      const revision = revisionOf.get(change.id) ?? 0;
      const base = texts.find(baseOf(change));
      const now = texts.find({ id: change.id, revision });
      const put = base && now ? readPut(change) : null;
      if (base && now && put && 'fields' in put) {
        await merges.make(put, { base, now, revision }, mergeBudget);
      }
      if (performance.now() > turnEndsAt) {
        await nextTurn();
        turnEndsAt = performance.now() + atOnceMs;
      }
    }
  }
};

/** Requests that share a transaction must not keep each other from being read as a whole. */
export const assertTogether = (submissions: readonly Submission[], isCut: boolean): void => {
  if (isCut && submissions.length > 1) {
    throw new StoredTooMuchError();
  }
};

/** The versions that changes are based on or bring back: their texts may be needed under the lock. */
export const versionsInvolved = (submissions: readonly Merging[]): VersionName[] => [
  ...submissions.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.rule === 'restore' ? versionToRestore(change) : [])),
  ),
  ...mergeableOf(submissions).map(baseOf),
];

export type Mergeable = SentPut & { readonly baseRevision: number };

/** Whether a change may have to be merged over what has become of its note. */
export const mayMerge = (change: SubmittedChange): change is Mergeable =>
  change.rule === 'sent_put' && change.onConflict === 'merge' && change.baseRevision !== null;

const baseOf = (change: Mergeable): VersionName => ({
  id: change.id,
  revision: change.baseRevision,
});

const versionToRestore = ({ id, revision }: VersionToRestore): VersionName[] =>
  revision === null ? [] : [{ id, revision }];

type VersionToRestore = { readonly id: VersionName['id']; readonly revision: number | null };
