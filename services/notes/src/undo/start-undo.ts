import { AppError, type CompanyId, type UndoId } from '@commonplace/contracts/core';
import { undoSource } from '@commonplace/contracts/notes';
import { read, write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findJobOwner } from '../queries/jobs.ts';
import { deleteReservedUndo, findUndo, releaseUndo, type UndoRow } from '../queries/undos.ts';
import { cancelJobsOf } from './cancel-jobs-of.ts';
import { reserveUndo, type UndoOrder } from './reserve-undo.ts';

type StartDeps = Pick<Deps, 'db' | 'clock' | 'jobSignal' | 'stopSource'>;

/** For this time a paused agent may still write: its last requests are under way. */
const settleMs = 1_500;
/** An undo that a later request has joined begins by then, if the earlier request fails before it lets it begin. */
const joinedMs = 10_000;

/**
 * Stores an undo, pauses the agent, cancels its background jobs, and lets the undo begin. Returns the one of an equal
 * request that goes on, if any, unless that one ends before what the agent wrote since somebody resumed it.
 */
export const startUndo = async (deps: StartDeps, order: UndoOrder): Promise<UndoId> => {
  if (order.request.undoId !== undefined) {
    await assertUndo(deps, order.companyId, order.request.undoId);
  }
  const passed = new Set<UndoId>();
  for (;;) {
    const reservation = await reserveUndo(deps, order, passed);
    if ('id' in reservation) {
      const { id, reservedUntil } = reservation;
      try {
        await stopAndRelease(deps, order, id);
      } catch (error) {
        await write(deps.db, order.companyId, (tx) => deleteReservedUndo(tx, id, reservedUntil));
        throw error;
      }
      return id;
    }
    const { same } = reservation;
    if (await isCovered(deps, order, same)) {
      return same.id;
    }
    passed.add(same.id);
  }
};

/** Whether an undo that goes on takes back all that a request means, for which the agent may be paused once more. */
const isCovered = async (deps: StartDeps, order: UndoOrder, undo: UndoRow): Promise<boolean> => {
  const { id, isDryRun, lastChange } = undo;
  const { isActive = false } = await deps.stopSource({ ...stopOf(order, id), dryRun: true });
  const mustPause = order.request.pause && !isDryRun && isActive;
  if (lastChange !== null) {
    return !mustPause;
  }
  if (mustPause) {
    return stopAndRelease(deps, order, id);
  }
  const { db, clock } = deps;
  const availableAt = new Date(clock().getTime() + joinedMs);
  return write(
    db,
    order.companyId,
    async (tx) =>
      (await releaseUndo(tx, { id, pausedAgentId: null, availableAt })) ||
      (await findUndo(tx, id)) !== null,
  );
};

/** False: the undo has begun meanwhile, or is no longer there. */
const stopAndRelease = async (deps: StartDeps, order: UndoOrder, id: UndoId): Promise<boolean> => {
  const stop = stopOf(order, id);
  const { agentId, isPaused } = await deps.stopSource(stop);
  if (!stop.dryRun) {
    await cancelJobsOf(deps, order.companyId, stop.source);
  }
  // Also of one that was paused before: an equal request may have done so just now.
  const isSettling = stop.pause && !stop.dryRun && agentId !== null;
  const availableAt = new Date(deps.clock().getTime() + (isSettling ? settleMs : 0));
  const pausedAgentId = isPaused ? agentId : null;
  const isReleased = await write(deps.db, order.companyId, (tx) =>
    releaseUndo(tx, { id, pausedAgentId, availableAt }),
  );
  deps.jobSignal.notify();
  return isReleased;
};

const stopOf = ({ companyId, caller, request }: UndoOrder, id: UndoId) => {
  const { pause, dryRun } = request;
  const source = undoSource.parse(request);
  const { operatorId, name, isLocal } = caller;
  return { companyId, undoId: id, operator: { operatorId, name, isLocal }, source, pause, dryRun };
};

/** Only an undo that may have written something can be undone. */
const assertUndo = async (
  { db }: Pick<Deps, 'db'>,
  companyId: CompanyId,
  id: UndoId,
): Promise<void> => {
  const undo = await read(db, companyId, (tx) => findUndo(tx, id));
  if (!undo) {
    const owner = await read(db, 'global', (tx) => findJobOwner(tx, id));
    throw owner !== null && owner !== companyId
      ? new AppError('cross_company', 'The undo belongs to another company.')
      : new AppError('not_found', 'No such undo.');
  }
  if (undo.isDryRun || undo.finishedAt === null) {
    const message = undo.isDryRun ? 'was a dry run' : 'is not finished';
    throw new AppError('validation_failed', 'The body is not valid.', {
      errors: [{ path: '/undoId', message }],
    });
  }
};
