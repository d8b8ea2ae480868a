import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, lookup, write, type CompanyTx, type Db } from '@commonplace/db';
import {
  deleteCatalogEntries,
  deleteLinks,
  findCatalogLag,
  insertLinks,
  listCountedLabels,
  listNotesToCatalog,
  lockCatalog,
  updateCatalogProgress,
  updateLabelCounts,
  upsertCatalogEntries,
  type CatalogedNote,
  type LinkToStore,
} from '../queries/catalog.ts';
import { insertFormerTitles } from '../queries/former-titles.ts';
import { extractLinks } from '../rules/extract-links.ts';
import { labelChanges } from '../rules/label-changes.ts';
import { linkedTitle } from '../rules/linked-title.ts';

/** Limits of one transaction, so that nothing waits long for its lock or holds much memory. */
const part = { limit: 200, bytesMax: 4 * 1024 * 1024 } as const;

/** Whether the catalog of a company includes every earlier write, which takes two lookups by key. */
export const isCatalogComplete = async (db: Db, companyId: CompanyId): Promise<boolean> => {
  const { isBehind, isBackfilling } = await lookup(db, companyId, findCatalogLag);
  return !isBehind && !isBackfilling;
};

/**
 * Adds the changes of before the call part by part, to the end or to the signal. Notes of earlier releases are left to
 * the background.
 */
export const catchUpCatalog = async (
  db: Db,
  companyId: CompanyId,
  stopping?: AbortSignal,
): Promise<void> => {
  const { head, isBehind } = await lookup(db, companyId, findCatalogLag);
  let reached = isBehind ? 0 : head;
  while (reached < head && !isAborted(stopping)) {
    reached = await write(db, inIndexOrder(companyId), addRecentPart);
  }
};

/** Adds the next notes of earlier releases; true: there may be more. */
export const addOldChanges = (db: Db, companyId: CompanyId): Promise<boolean> =>
  write(db, inIndexOrder(companyId), addOldPart);

/** Adds recent changes, then notes of earlier releases; returns whether the catalog is complete at the signal. */
export const completeCatalog = async (
  db: Db,
  companyId: CompanyId,
  stopping?: AbortSignal,
): Promise<boolean> => {
  await catchUpCatalog(db, companyId, stopping);
  let hasMore = true;
  while (hasMore && !isAborted(stopping)) {
    hasMore = await addOldChanges(db, companyId);
  }
  return !hasMore;
};

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

/** Adds the next recent changes; returns the change it reached. */
const addRecentPart = async (tx: CompanyTx): Promise<number> => {
  const progress = await lockCatalog(tx);
  const range = { ...part, after: progress.changeNo, upTo: endless };
  const notes = await listNotesToCatalog(tx, range);
  if (notes.length === 0) {
    return endless;
  }
  await addNotes(tx, notes);
  await updateCatalogProgress(tx, { ...progress, changeNo: lastOf(notes) });
  return lastOf(notes);
};

const addOldPart = async (tx: CompanyTx): Promise<boolean> => {
  const progress = await lockCatalog(tx);
  const { backfilledNo, backfillTo } = progress;
  if (backfilledNo >= backfillTo) {
    return false;
  }
  const notes = await listNotesToCatalog(tx, { ...part, after: backfilledNo, upTo: backfillTo });
  if (notes.length > 0) {
    await addNotes(tx, notes);
  }
  const hasMore = notes.length > 0;
  const reached = hasMore ? lastOf(notes) : backfillTo;
  await updateCatalogProgress(tx, { ...progress, backfilledNo: reached });
  return hasMore;
};

const endless = Number.MAX_SAFE_INTEGER;

const lastOf = (notes: readonly CatalogedNote[]): number => notes.at(-1)?.changeNo ?? 0;

/** Replaces what the catalog holds of these notes. */
const addNotes = async (tx: CompanyTx, notes: readonly CatalogedNote[]): Promise<void> => {
  const ids = notes.map(({ id }) => id);
  const [counted, links] = await Promise.all([listCountedLabels(tx, ids), linksOf(notes)]);
  const active = notes.filter(({ isDeleted }) => !isDeleted);
  const deletedIds = notes.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  const entries = active.map(({ id, title, createdAt, folder, tags }) => ({
    id,
    title: linkedTitle(title),
    createdAt,
    folder,
    tags,
  }));
  const changes = labelChanges(counted, active);
  // A note with a single version has no other title.
  const changedIds = notes.filter(({ revision }) => revision > 1).map(({ id }) => id);
  await Promise.all([
    deletedIds.length > 0 ? deleteCatalogEntries(tx, deletedIds) : undefined,
    entries.length > 0 ? upsertCatalogEntries(tx, entries) : undefined,
    deleteLinks(tx, ids).then(() => (links.length > 0 ? insertLinks(tx, links) : undefined)),
    changes.length > 0 ? updateLabelCounts(tx, changes) : undefined,
    changedIds.length > 0 ? insertFormerTitles(tx, changedIds) : undefined,
  ]);
};

/** Yields to the event loop between notes: the longest text takes some milliseconds. */
const linksOf = async (notes: readonly CatalogedNote[]): Promise<LinkToStore[]> => {
  const links: LinkToStore[] = [];
  for (const { id, content } of notes) {
    if (content !== null) {
      extractLinks(content).forEach((link, place) => links.push({ ...link, sourceId: id, place }));
      await yieldToEventLoop();
    }
  }
  return links;
};
