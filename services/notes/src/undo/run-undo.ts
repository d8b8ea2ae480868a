import { AppError, type CompanyId, type NoteId, type UndoId } from '@commonplace/contracts/core';
import { read, write, type CompanyTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { lockFeed } from '../queries/feed.ts';
import { holdLeases, type HeldLease } from '../queries/job-queue.ts';
import { resetAttempts } from '../queries/jobs.ts';
import { listPendingNotes, updateUndoNote, type UndoneNoteRow } from '../queries/undo-notes.ts';
import { finishUndo, findUndo, lockUndo, startUndo, type UndoRow } from '../queries/undos.ts';
import { LeaseLostError } from '../write/lease-lost.ts';
import { cancelJobsOf } from './cancel-jobs-of.ts';
import { planNextNotes } from './plan-notes.ts';
import { planNote } from './plan-note.ts';
import { bytesRead, partsOf, prepareNotes } from './prepare-notes.ts';
import type { PlannedNote } from './planned-note.ts';
import { readHistories } from './read-histories.ts';
import { withdrawProposals } from './withdraw-proposals.ts';

export type UndoDeps = Pick<
  Deps,
  'db' | 'clock' | 'writeNotes' | 'authorizeJob' | 'reserveUndoBytes' | 'takeOutLines'
>;

/** An undo that a worker runs. */
export type RunningUndo = {
  readonly companyId: CompanyId;
  readonly id: UndoId;
  /** Of its job. Nothing is written by a worker that has lost it. */
  readonly leaseToken: string;
  /** False: another worker has it, or this process stops. */
  readonly mayGoOn: () => Promise<boolean>;
};

/** Notes of one batch. */
const batchNotes = 100;

/**
 * Runs an undo from where it is: finds the notes, then takes the versions out, batch by batch. What a batch writes and
 * what is stored of it is one transaction, so that a repetition changes nothing. `released`: another worker continues.
 */
export const runUndo = async (
  deps: UndoDeps,
  running: RunningUndo,
): Promise<'ended' | 'released'> => {
  const { companyId, id } = running;
  const undo = await read(deps.db, companyId, (tx) => findUndo(tx, id));
  if (!undo || undo.finishedAt !== null) {
    return 'ended';
  }
  const { caller, isDryRun } = undo;
  const authority = { companyId, caller, isWriting: !isDryRun };
  if (!isDryRun) {
    // Its beginning withdraws proposals.
    await deps.authorizeJob(authority);
  }
  await beginUndo(deps, companyId, undo);
  let step: Step = { after: null, isProgress: false };
  for (;;) {
    await deps.authorizeJob(authority);
    if (!(await running.mayGoOn())) {
      return 'released';
    }
    const next = await nextStep(deps, running, step);
    if (next === 'ended') {
      return 'ended';
    }
    step = next;
  }
};

/** Fixes the last change, once. */
const beginUndo = async (
  deps: UndoDeps,
  companyId: CompanyId,
  { id, status, isDryRun, source }: UndoRow,
): Promise<void> => {
  if (status === 'queued' && !isDryRun) {
    // Requests that were under way when the agent was paused may have stored some.
    await cancelJobsOf(deps, companyId, source);
  }
  await write(deps.db, companyId, async (tx) => {
    const head = (await lockFeed(tx))?.head ?? 0;
    const at = deps.clock();
    const withdrawnProposals = await withdrawProposals(tx, id, at);
    await startUndo(tx, { id, lastChange: head, withdrawnProposals, at });
  });
};

/** Where a pass over the notes that are not decided is, and whether it decided any. */
type Step = { readonly after: NoteId | null; readonly isProgress: boolean };

/** Finds some of the notes, undoes some, or ends. Nothing is locked while notes are compared and written. */
const nextStep = async (
  deps: UndoDeps,
  running: RunningUndo,
  step: Step,
): Promise<Step | 'ended'> => {
  const next = await planStep(deps, running, step);
  if (next === 'ended' || !('noteIds' in next)) {
    return next;
  }
  const decided = await undoNotes(deps, running, next);
  if (decided > 0) {
    await write(deps.db, running.companyId, (tx) => resetAttempts(tx, running.id));
  }
  return { after: next.noteIds.at(-1) ?? null, isProgress: step.isProgress || decided > 0 };
};

/** Finds some of the notes, the batch that is next, or the end. */
const planStep = (
  deps: UndoDeps,
  running: RunningUndo,
  step: Step,
): Promise<Step | Batch | 'ended'> =>
  write(deps.db, running.companyId, async (tx) => {
    const undo = await lockUndo(tx, running.id);
    if (!undo || undo.finishedAt !== null) {
      return 'ended';
    }
    if (!undo.isPlanned) {
      await planNextNotes(tx, undo);
      await resetAttempts(tx, undo.id);
      return step;
    }
    const page = { undoId: undo.id, after: step.after, limit: batchNotes };
    const noteIds = await listPendingNotes(tx, page);
    if (noteIds.length > 0) {
      return { undo, noteIds };
    }
    if (step.after === null) {
      await finishUndo(tx, undo.id, { status: 'succeeded', error: null, at: deps.clock() });
      return 'ended';
    }
    if (!step.isProgress) {
      throw new AppError('busy', 'The notes change faster than they can be undone.');
    }
    return { after: null, isProgress: false };
  });

type Batch = { readonly undo: UndoRow; readonly noteIds: readonly NoteId[] };

/** Undoes notes; returns how many were decided. Those that change meanwhile come again. */
const undoNotes = async (
  deps: UndoDeps,
  running: RunningUndo,
  { undo, noteIds }: Batch,
): Promise<number> => {
  const source = { source: undo.source, lastChange: undo.lastChange ?? 0 };
  const histories = await readHistories(deps, running.companyId, { source, noteIds });
  const planned = histories.map(planNote).filter((each) => each !== null);
  let decided = 0;
  for (const part of partsOf(planned)) {
    decided += await deps.reserveUndoBytes(bytesRead(part), () =>
      undoPart(deps, running, { undo, part }),
    );
  }
  return decided;
};

type Part = { readonly undo: UndoRow; readonly part: readonly PlannedNote[] };

const undoPart = async (
  deps: UndoDeps,
  { companyId, id, leaseToken }: RunningUndo,
  { undo, part }: Part,
): Promise<number> => {
  const lease = { id, leaseToken };
  const prepared = await prepareNotes(deps, { companyId, undo, planned: part });
  const only = prepared.filter(({ next }) => next === undefined).map(({ row }) => row);
  if (only.length > 0) {
    await write(deps.db, companyId, (tx) => storeDecided(tx, lease, { id, rows: only }));
  }
  const changes = prepared.flatMap(({ row, next, revision }) =>
    next === undefined
      ? []
      : [
          {
            rule: 'undo' as const,
            id: row.noteId,
            undoId: undo.id,
            prepared: { revision, fields: next },
            row,
          },
        ],
  );
  if (changes.length === 0) {
    return only.length;
  }
  const { author } = undo.caller;
  const { outcomes } = await deps.writeNotes(companyId, {
    author: { ...author, via: 'undo' },
    changes,
    lease,
    recheck: () => deps.authorizeJob({ companyId, caller: undo.caller, isWriting: true }),
  });
  return only.length + outcomes.filter(({ status }) => status !== 'rejected').length;
};

type Decided = { readonly id: UndoId; readonly rows: readonly UndoneNoteRow[] };

/** Stores what became of notes that are not written. */
const storeDecided = async (tx: CompanyTx, lease: HeldLease, { id, rows }: Decided) => {
  if ((await holdLeases(tx, [lease])).size === 0) {
    throw new LeaseLostError();
  }
  await Promise.all(rows.map((row) => updateUndoNote(tx, id, row)));
};
