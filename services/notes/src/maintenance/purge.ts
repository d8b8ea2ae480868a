import { deleteDepartures } from '../queries/departures.ts';
import type { CompanyId } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import { catchUpCatalog } from '../catalog/catch-up-catalog.ts';
import type { Deps } from '../deps.ts';
import {
  deleteJobs,
  deleteReturnedNotes,
  deleteRevisions,
  deleteTombstones,
  listCompaniesToPurge,
  listWordsOfTombstones,
  type PurgeBatch,
  type PurgeLimits,
} from '../queries/purge.ts';
import { deleteMutations } from '../queries/mutations.ts';
import { listCompanies, tryLockFeed } from '../queries/feed.ts';
import { removeWords } from '../search/remove-words.ts';
import { batchRows, deleteInBatches } from './delete-in-batches.ts';

/** Retention times, in days. */
export type Retention = {
  readonly tombstoneDays: number;
  readonly mutationDays: number;
  /** 0: forever. */
  readonly revisionDays: number;
};

type PurgeDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** Finished jobs are readable for a week. */
const jobDays = 7;
const dayMs = 86_400_000;
/** Words of a batch of tombstones that are looked for in other notes; the rest goes when the statistics are made. */
const wordsMax = 20_000;

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
  const companies = await read(deps.db, 'global', (tx) => listCompaniesToPurge(tx, limits));
  await forEachCompany(deps, companies, (companyId) =>
    purgeCompany(deps, { companyId, limits, stopping }),
  );
};

/** A company that fails is retried with the next purge, and keeps no other from being purged. */
const forEachCompany = async (
  { log }: Pick<Deps, 'log'>,
  companies: readonly CompanyId[],
  run: (companyId: CompanyId) => Promise<void>,
): Promise<void> => {
  for (const companyId of companies) {
    await run(companyId).catch((error: unknown) =>
      log.warn({ err: error, companyId }, 'the purge of a company failed; a retry follows'),
    );
  }
};

type CompanyPurge = {
  readonly companyId: CompanyId;
  readonly limits: PurgeLimits;
  readonly stopping: AbortSignal;
};

const purgeCompany = async (deps: PurgeDeps, { companyId, limits, stopping }: CompanyPurge) => {
  // The catalog learns of deletions from tombstones.
  await catchUpCatalog(deps.db, companyId, stopping);
  await purgeTombstones({ ...deps, stopping }, { companyId, before: limits.tombstones });
  const steps = [
    { before: limits.tombstones, remove: deleteReturnedNotes },
    { before: limits.tombstones, remove: deleteDepartures },
    { before: limits.mutations, remove: deleteMutations },
    { before: limits.jobs, remove: deleteJobs },
  ];
  for (const step of steps) {
    await deleteInBatches(deps, { companyId, ...step, stopping });
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
  const companies = await read(deps.db, 'global', listCompanies);
  await forEachCompany(deps, companies, (companyId) =>
    deleteInBatches(deps, { companyId, before, remove: deleteRevisions, stopping }),
  );
};

/**
 * Deletes tombstones, then the words that no other note has. Deletes nothing while the company is being written to, so
 * that writers never wait for a purge.
 */
const purgeTombstones = async (
  { db, stopping }: PurgeDeps & Pick<CompanyPurge, 'stopping'>,
  { companyId, before }: Pick<CompanyPurge, 'companyId'> & Pick<PurgeBatch, 'before'>,
): Promise<void> => {
  const batch = { before, limit: batchRows };
  let removed = batchRows;
  while (removed === batchRows && !stopping.aborted) {
    const { count, words } = await write(db, companyId, async (tx) => {
      const words = await listWordsOfTombstones(tx, { ...batch, wordsMax });
      return { words, count: (await tryLockFeed(tx)) ? await deleteTombstones(tx, batch) : 0 };
    });
    removed = count;
    await removeWords(db, companyId, words);
  }
};

const daysAgo = ({ clock }: PurgeDeps, days: number): Date =>
  new Date(clock().getTime() - days * dayMs);
