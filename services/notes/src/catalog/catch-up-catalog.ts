import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CompanyId } from '@commonplace/contracts/core';
import { lookupInCompany, withCompanyInIndexOrder, type CompanyTx, type Db } from '@commonplace/db';
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
import { extractLinks } from '../rules/extract-links.ts';
import { labelChanges } from '../rules/label-changes.ts';
import { titleKeyOf } from '../rules/title-key.ts';

/** Limits of one transaction, so that nothing waits long for its lock or holds much memory. */
const part = { limit: 500, bytesMax: 4 * 1024 * 1024 } as const;

export type CatchUp = {
  /** Stops after the current part. Undefined: runs to the end. */
  readonly stopping?: AbortSignal;
  /** Called after every part with the number of notes in it. */
  readonly onPart?: (notes: number) => Promise<void> | void;
};

/** Whether the catalog of a company includes every earlier write, which takes two lookups by key. */
export const isCatalogComplete = async (db: Db, companyId: CompanyId): Promise<boolean> => {
  const { isBehind, isBackfilling } = await lookupInCompany(db, companyId, findCatalogLag);
  return !isBehind && !isBackfilling;
};

/**
 * Brings the catalog of a company up to date part by part, recent changes first. Returns whether it is complete; a
 * later call goes on where this one stopped.
 */
export const catchUpCatalog = async (
  db: Db,
  companyId: CompanyId,
  { stopping, onPart }: CatchUp = {},
): Promise<boolean> => {
  if (await isCatalogComplete(db, companyId)) {
    return true;
  }
  let isComplete = false;
  while (!isComplete && !isAborted(stopping)) {
    const { notes, isLast } = await withCompanyInIndexOrder(db, companyId, addPart);
    isComplete = isLast;
    await onPart?.(notes);
  }
  return isComplete;
};

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

/** Adds the next part in one transaction; true: it was the last one. */
const addPart = async (tx: CompanyTx): Promise<{ notes: number; isLast: boolean }> => {
  const progress = await lockCatalog(tx);
  const { changeNo, backfilledNo, backfillTo } = progress;
  const recent = await listNotesToCatalog(tx, { ...part, after: changeNo, upTo: endless });
  if (recent.length > 0) {
    await addNotes(tx, recent);
    await updateCatalogProgress(tx, { ...progress, changeNo: lastOf(recent) });
    return { notes: recent.length, isLast: false };
  }
  const old = await listNotesToCatalog(tx, { ...part, after: backfilledNo, upTo: backfillTo });
  if (old.length > 0) {
    await addNotes(tx, old);
  }
  const isLast = old.length === 0;
  await updateCatalogProgress(tx, { changeNo, backfilledNo: isLast ? backfillTo : lastOf(old) });
  return { notes: old.length, isLast };
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
    title,
    createdAt,
    folder,
    tags,
    titleKey: titleKeyOf(title),
  }));
  const changes = labelChanges(counted, active);
  await Promise.all([
    deletedIds.length > 0 ? deleteCatalogEntries(tx, deletedIds) : undefined,
    entries.length > 0 ? upsertCatalogEntries(tx, entries) : undefined,
    deleteLinks(tx, ids).then(() => (links.length > 0 ? insertLinks(tx, links) : undefined)),
    changes.length > 0 ? updateLabelCounts(tx, changes) : undefined,
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
