import type { CompanyId } from '@commonplace/contracts/core';
import { runGlobal, withCompany, type CompanyTx } from '@commonplace/db';
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

/** For how long things are kept, in days. */
export type Retention = {
  readonly tombstoneDays: number;
  readonly mutationDays: number;
  /** 0: for ever. */
  readonly revisionDays: number;
};

type PurgeDeps = Pick<Deps, 'db' | 'clock'>;

/** Finished jobs can be read for a week. */
const jobDays = 7;
/** Rows of one transaction: none of them holds up the writes of a company for long. */
const batchRows = 1_000;
const dayMs = 86_400_000;

/** Removes tombstones, mutations and finished jobs that are too old, of every company. */
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
    await clear(deps, { companyId, before: limits.tombstones, remove: purgeTombstones, stopping });
    await clear(deps, { companyId, before: limits.mutations, remove: deleteMutations, stopping });
    await clear(deps, { companyId, before: limits.jobs, remove: deleteJobs, stopping });
  }
};

/** Removes versions that are too old, where they are not kept for ever. */
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
    await clear(deps, { companyId, before, remove: deleteRevisions, stopping });
  }
};

/** While somebody writes to the company nothing is removed: writers do not wait for housekeeping. */
const purgeTombstones = async (tx: CompanyTx, batch: PurgeBatch): Promise<number> =>
  (await tryLockFeed(tx)) ? deleteTombstones(tx, batch) : 0;

const daysAgo = ({ clock }: PurgeDeps, days: number): Date =>
  new Date(clock().getTime() - days * dayMs);

type Clearance = {
  readonly companyId: CompanyId;
  readonly before: Date;
  readonly remove: (tx: CompanyTx, batch: PurgeBatch) => Promise<number>;
  readonly stopping: AbortSignal;
};

/** Removes batch after batch, each in a transaction of its own, until a batch is not full. */
const clear = async (
  { db }: PurgeDeps,
  { companyId, before, remove, stopping }: Clearance,
): Promise<void> => {
  let removed = batchRows;
  while (removed === batchRows && !stopping.aborted) {
    removed = await withCompany(db, companyId, (tx) => remove(tx, { before, limit: batchRows }));
  }
};
