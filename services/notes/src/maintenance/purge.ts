import type { CompanyId } from '@commonplace/contracts/core';
import { runGlobal, withCompany, type CompanyTx } from '@commonplace/db';
import { catchUpCatalog } from '../catalog/catch-up-catalog.ts';
import type { Deps } from '../deps.ts';
import {
  deleteJobs,
  deleteRevisions,
  deleteTombstones,
  listCompaniesToPurge,
  type PurgeBatch,
} from '../queries/purge.ts';
import { deleteMutations } from '../queries/mutations.ts';
import { listCompanies, tryLockFeed } from '../queries/feed.ts';

/** Retention times, in days. */
export type Retention = {
  readonly tombstoneDays: number;
  readonly mutationDays: number;
  /** 0: forever. */
  readonly revisionDays: number;
};

type PurgeDeps = Pick<Deps, 'db' | 'clock'>;

/** Finished jobs are readable for a week. */
const jobDays = 7;
/** Rows per transaction: a bounded number, so that writes of the company never wait long. */
const batchRows = 1_000;
const dayMs = 86_400_000;

/** Deletes expired tombstones, mutations and finished jobs of every company. */
export const purge = async (
  deps: PurgeDeps,
  { tombstoneDays, mutationDays }: Omit<Retention, 'revisionDays'>,
  stopping: AbortSignal,
): Promise<void> => {
  const limits = {
    tombstones: daysAgo(deps, tombstoneDays),
    mutations: daysAgo(deps, mutationDays),
    jobs: daysAgo(deps, jobDays),
  };
  for (const companyId of await runGlobal(deps.db, (tx) => listCompaniesToPurge(tx, limits))) {
    // The catalog learns of deletions from tombstones.
    await catchUpCatalog(deps.db, companyId, stopping);
    await deleteInBatches(deps, {
      companyId,
      before: limits.tombstones,
      remove: purgeTombstones,
      stopping,
    });
    await deleteInBatches(deps, {
      companyId,
      before: limits.mutations,
      remove: deleteMutations,
      stopping,
    });
    await deleteInBatches(deps, { companyId, before: limits.jobs, remove: deleteJobs, stopping });
  }
};

/** Deletes expired versions, unless they are kept forever. */
export const pruneRevisions = async (
  deps: PurgeDeps,
  { revisionDays }: Pick<Retention, 'revisionDays'>,
  stopping: AbortSignal,
): Promise<void> => {
  if (revisionDays === 0) {
    return;
  }
  const before = daysAgo(deps, revisionDays);
  for (const companyId of await runGlobal(deps.db, listCompanies)) {
    await deleteInBatches(deps, { companyId, before, remove: deleteRevisions, stopping });
  }
};

/** Deletes nothing while the company is being written to, so that writers never wait for a purge. */
const purgeTombstones = async (tx: CompanyTx, batch: PurgeBatch): Promise<number> =>
  (await tryLockFeed(tx)) ? deleteTombstones(tx, batch) : 0;

const daysAgo = ({ clock }: PurgeDeps, days: number): Date =>
  new Date(clock().getTime() - days * dayMs);

type BatchedDelete = {
  readonly companyId: CompanyId;
  readonly before: Date;
  readonly remove: (tx: CompanyTx, batch: PurgeBatch) => Promise<number>;
  readonly stopping: AbortSignal;
};

/** Deletes in batches, one transaction each, until a batch is not full. */
const deleteInBatches = async (
  { db }: PurgeDeps,
  { companyId, before, remove, stopping }: BatchedDelete,
): Promise<void> => {
  let removed = batchRows;
  while (removed === batchRows && !stopping.aborted) {
    removed = await withCompany(db, companyId, (tx) => remove(tx, { before, limit: batchRows }));
  }
};
