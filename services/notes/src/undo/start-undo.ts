import { coalesceFresh } from '@commonplace/concurrency';
import {
  AppError,
  isAppError,
  newId,
  undoId,
  type CompanyId,
  type UndoId,
} from '@commonplace/contracts/core';
import type { UndoRequest } from '@commonplace/contracts/notes';
import { read, write } from '@commonplace/db';
import type { OperatorCaller } from '@commonplace/identity';
import type { Deps } from '../deps.ts';
import { insertFeed } from '../queries/feed.ts';
import { insertQueuedJob } from '../queries/job-queue.ts';
import { findJobOwner } from '../queries/jobs.ts';
import {
  deleteDryRuns,
  findUndo,
  insertUndo,
  listUnfinishedUndos,
  type UndoRow,
} from '../queries/undos.ts';
import { canonicalJson } from '../merge/canonical-json.ts';
import { isKnownToDiffer, type CallerAccess } from '../queries/job-caller.ts';
import { authorOf } from '../rules/author-of.ts';
import { cancelJobsOf } from './cancel-jobs-of.ts';

export type UndoOrder = {
  readonly companyId: CompanyId;
  readonly caller: OperatorCaller;
  /** What gives access to the operator; empty: the local operator, or unknown. */
  readonly access: CallerAccess;
  readonly request: UndoRequest;
};

type StartDeps = Pick<Deps, 'db' | 'clock' | 'jobSignal' | 'stopSource' | 'authorizeJob'>;

/** Undos of a company that are not finished. */
const unfinishedMax = 10;
/** For this time a paused agent may still write: its last requests are under way. */
const settleMs = 1_500;
const dryRunMs = 7 * 86_400_000;

/**
 * Starts undos: pauses the agent, cancels its background jobs, and stores an undo. Returns the one of an equal request
 * that goes on already, if any, unless since then the agent was resumed, or the access of who ordered it ended.
 * Equal requests of an operator that reach one process at once start one undo.
 */
export const createStartUndo = (deps: StartDeps): ((order: UndoOrder) => Promise<UndoId>) => {
  const start = coalesceFresh(({ order }: { readonly key: string; readonly order: UndoOrder }) =>
    startUndo(deps, order),
  );
  return (order) => {
    const { companyId, caller, access, request } = order;
    const key = canonicalJson([companyId, caller.operatorId, access, request]);
    return start({ key, order });
  };
};

const startUndo = async (deps: StartDeps, order: UndoOrder): Promise<UndoId> => {
  const { companyId, caller, access, request } = order;
  const { pause, dryRun, withdrawProposals, noteIds = null, ...source } = request;
  const unfinished = await read(deps.db, companyId, listUnfinishedUndos);
  const { operatorId, name, isLocal } = caller;
  const operator = { operatorId, name, isLocal };
  const stop = { companyId, operator, source, pause, dryRun };
  const same = await findEqual(deps, order, unfinished);
  if (same && !(await isResumed(deps, { ...stop, undoId: same.id }))) {
    return same.id;
  }
  // Dry runs keep no one from undoing.
  if (unfinished.filter(({ isDryRun }) => dryRun || !isDryRun).length >= unfinishedMax) {
    throw new AppError('busy', 'Too many undos of this company are not finished.', {
      headers: { 'Retry-After': '5' },
    });
  }
  if (source.undoId !== undefined) {
    await assertUndo(deps, companyId, source.undoId);
  }
  const id = undoId.parse(newId());
  const { agentId, isPaused } = await deps.stopSource({ ...stop, undoId: id });
  if (!dryRun) {
    await cancelJobsOf(deps, companyId, source);
  }
  const at = deps.clock();
  await write(deps.db, companyId, async (tx) => {
    await deleteDryRuns(tx, new Date(at.getTime() - dryRunMs));
    await insertFeed(tx, newId());
    await insertUndo(tx, {
      id,
      caller: {
        author: authorOf(caller),
        isLocal,
        ...access,
      },
      source,
      noteIds,
      isDryRun: dryRun,
      withdrawsProposals: withdrawProposals,
      isPausing: pause,
      pausedAgentId: isPaused ? agentId : null,
      at,
    });
    const availableAt = new Date(at.getTime() + (isPaused ? settleMs : 0));
    await insertQueuedJob(tx, { id, at, availableAt, isUndo: true });
  });
  deps.jobSignal.notify();
  return id;
};

/** The undo of an equal request that will not fail for want of access. The newest one: it ends last. */
const findEqual = async (
  deps: Pick<StartDeps, 'authorizeJob'>,
  order: UndoOrder,
  unfinished: readonly UndoRow[],
): Promise<UndoRow | null> => {
  const same = unfinished.filter(
    (undo) => isSame(undo, order.request) && !hasOtherAccess(undo, order),
  );
  for (const undo of same.toReversed()) {
    if (await mayGoOn(deps, order, undo)) {
      return undo;
    }
  }
  return null;
};

/** Whether an undo that another operator ordered will not fail because that operator has lost access since. */
const mayGoOn = async (
  { authorizeJob }: Pick<StartDeps, 'authorizeJob'>,
  { companyId, caller: { operatorId } }: UndoOrder,
  { caller, isDryRun }: UndoRow,
): Promise<boolean> => {
  if (caller.author.id === operatorId) {
    return true;
  }
  try {
    await authorizeJob({ companyId, caller, isWriting: !isDryRun });
    return true;
  } catch (error) {
    if (isAppError(error) && error.status < 500) {
      return false;
    }
    throw error;
  }
};

/** Whether the agent that an undo was to stop works again: it may have written something after the end of that undo. */
const isResumed = async (
  { stopSource }: Pick<StartDeps, 'stopSource'>,
  stop: Parameters<StartDeps['stopSource']>[0],
): Promise<boolean> => {
  if (!stop.pause || stop.dryRun) {
    return false;
  }
  const { isActive } = await stopSource({ ...stop, dryRun: true });
  return isActive === true;
};

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

/** Whether the operator's access ended and was given again between the undo and the order: the earlier one of both fails. */
const hasOtherAccess = ({ caller: former }: UndoRow, { caller, access }: UndoOrder): boolean =>
  former.author.id === caller.operatorId &&
  (isKnownToDiffer(former.accessEpoch, access.accessEpoch) ||
    isKnownToDiffer(former.memberSince, access.memberSince));

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
