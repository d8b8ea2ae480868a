import { AppError, newId, undoId, type CompanyId, type UndoId } from '@commonplace/contracts/core';
import type { UndoRequest } from '@commonplace/contracts/notes';
import { write } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { canonicalJson } from '../merge/canonical-json.ts';
import { insertFeed, lockFeed } from '../queries/feed.ts';
import { insertQueuedJob } from '../queries/job-queue.ts';
import { deleteDryRuns, insertUndo, listUnfinishedUndos, type UndoRow } from '../queries/undos.ts';
import { authorOf } from '../rules/author-of.ts';

export type UndoOrder = {
  readonly companyId: CompanyId;
  readonly caller: OperatorCaller;
  readonly request: UndoRequest;
};

/** Undos of a company that are not finished. */
const unfinishedMax = 10;
/** A worker begins an undo that was stored this long before, in case the process that stored it has died. */
const reservedMs = 60_000;
const dryRunMs = 7 * 86_400_000;

export type UndoReservation =
  | { readonly id: UndoId; readonly reservedUntil: Date }
  | { readonly same: UndoRow };

/**
 * Stores an undo that does not begin yet; the unfinished one of an equal request, if any, is returned in its place. Equal
 * requests of one instant wait for each other, so that one of them stores it. Those of `passed` do not count.
 */
export const reserveUndo = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { companyId, caller, request }: UndoOrder,
  passed: ReadonlySet<UndoId>,
): Promise<UndoReservation> =>
  write(db, companyId, async (tx) => {
    await insertFeed(tx, newId());
    await lockFeed(tx);
    const unfinished = await listUnfinishedUndos(tx);
    // The newest ends last.
    const same = unfinished.findLast((undo) => !passed.has(undo.id) && isSame(undo, request));
    if (same) {
      return { same };
    }
    if (unfinished.length >= unfinishedMax) {
      throw new AppError('busy', 'Too many undos of this company are not finished.', {
        headers: { 'Retry-After': '5' },
      });
    }
    const at = clock();
    const { pause, dryRun, withdrawProposals, noteIds = null, ...source } = request;
    const id = undoId.parse(newId());
    await deleteDryRuns(tx, new Date(at.getTime() - dryRunMs));
    await insertUndo(tx, {
      id,
      caller: { author: authorOf(caller), isLocal: caller.isLocal },
      source,
      noteIds,
      isDryRun: dryRun,
      withdrawsProposals: withdrawProposals,
      isPausing: pause,
      at,
    });
    const reservedUntil = new Date(at.getTime() + reservedMs);
    await insertQueuedJob(tx, { id, at, availableAt: reservedUntil });
    return { id, reservedUntil };
  });

/** One that was to leave the agent alone may end before what the agent wrote until a later request pauses it. */
const isSame = (
  undo: UndoRow,
  { dryRun, withdrawProposals, pause, noteIds, ...source }: UndoRequest,
): boolean =>
  undo.isDryRun === dryRun &&
  (undo.isPausing || !pause) &&
  undo.withdrawsProposals === withdrawProposals &&
  canonicalJson(undo.source) === canonicalJson(source) &&
  JSON.stringify(undo.noteIds?.toSorted()) === JSON.stringify(noteIds?.toSorted());
