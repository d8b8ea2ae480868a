import type { AgentId, ErrorCode, NoteId, UndoId } from '@commonplace/contracts/core';
import type { UndoOutcome, UndoSource, UndoStatus } from '@commonplace/contracts/notes';
import { stayOnNode, type CompanyTx } from '@commonplace/db';
import type { JobCaller } from './job-caller.ts';

/** Time, note and revision of the version up to which an undo has looked for notes. */
export type PlanPosition = readonly [at: string, noteId: string, revision: number];

/** A row of notes.undos. */
export type UndoRow = {
  readonly id: UndoId;
  readonly status: UndoStatus;
  readonly caller: JobCaller;
  readonly source: UndoSource;
  /** Null: every note the source wrote. */
  readonly noteIds: readonly NoteId[] | null;
  readonly isDryRun: boolean;
  /** Whether open proposals of the source are rejected. */
  readonly withdrawsProposals: boolean;
  /** How many were, or of a dry run would be. */
  readonly withdrawnProposals: number;
  /** Whether it was to pause the agent of its source. */
  readonly isPausing: boolean;
  readonly pausedAgentId: AgentId | null;
  /** Null: not begun. */
  readonly lastChange: number | null;
  /** Null: no note was looked for yet. */
  readonly plannedUntil: PlanPosition | null;
  readonly isPlanned: boolean;
  readonly error: { readonly code: ErrorCode; readonly detail: string } | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

const undoColumns = `
  u.id, u.status, u.caller, u.source, u.note_ids as "noteIds", u.is_dry_run as "isDryRun",
  u.withdraws_proposals as "withdrawsProposals", u.withdrawn_proposals as "withdrawnProposals",
  u.is_pausing as "isPausing", u.paused_agent_id as "pausedAgentId", u.last_change as "lastChange",
  u.planned_until as "plannedUntil", u.is_planned as "isPlanned", u.error,
  u.created_at as "createdAt", u.started_at as "startedAt", u.finished_at as "finishedAt"`;

export type NewUndo = Pick<
  UndoRow,
  | 'id'
  | 'caller'
  | 'source'
  | 'noteIds'
  | 'isDryRun'
  | 'withdrawsProposals'
  | 'isPausing'
  | 'pausedAgentId'
> & { readonly at: Date };

/** Stores an undo that is to begin. */
export const insertUndo = async (tx: CompanyTx, undo: NewUndo): Promise<void> => {
  const {
    id,
    caller,
    source,
    noteIds,
    isDryRun,
    withdrawsProposals,
    isPausing,
    pausedAgentId,
    at,
  } = undo;
  await tx.query(
    `insert into notes.undos (company_id, id, status, caller, source, note_ids, is_dry_run,
       paused_agent_id, created_at, withdraws_proposals, is_pausing)
     values ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tx.companyId,
      id,
      JSON.stringify(caller),
      JSON.stringify(source),
      noteIds === null ? null : [...noteIds],
      isDryRun,
      pausedAgentId,
      at,
      withdrawsProposals,
      isPausing,
    ],
  );
};

/** One undo; null: the company has none of this id. */
export const findUndo = async (tx: CompanyTx, id: UndoId): Promise<UndoRow | null> => {
  const [row] = await tx.query<UndoRow>(
    `select ${undoColumns} from notes.undos u where u.company_id = $1 and u.id = $2`,
    [tx.companyId, id],
  );
  return row ?? null;
};

/** The undos of a company that are not finished, the oldest first. */
export const listUnfinishedUndos = (tx: CompanyTx): Promise<UndoRow[]> =>
  tx.query<UndoRow>(
    `select ${undoColumns} from notes.undos u
     where u.company_id = $1 and u.finished_at is null
     order by u.created_at, u.id`,
    [tx.companyId],
  );

/** Locks an undo until COMMIT: a worker that takes over waits for what the one before is doing. */
export const lockUndo = async (tx: CompanyTx, id: UndoId): Promise<UndoRow | null> => {
  await stayOnNode(tx, 'notes.company_feed');
  const [row] = await tx.query<UndoRow>(
    `select ${undoColumns} from notes.undos u
     where u.company_id = $1 and u.id = $2 for no key update`,
    [tx.companyId, id],
  );
  return row ?? null;
};

type UndoStart = Pick<UndoRow, 'id' | 'withdrawnProposals'> & {
  readonly lastChange: number;
  readonly at: Date;
};

/** Begins an undo, and fixes the last change that it looks at; no effect on one that has begun. */
export const startUndo = async (
  tx: CompanyTx,
  { id, lastChange, withdrawnProposals, at }: UndoStart,
): Promise<void> => {
  await tx.query(
    `update notes.undos set status = 'running', started_at = $3, last_change = $4,
       withdrawn_proposals = $5
     where company_id = $1 and id = $2 and status = 'queued'`,
    [tx.companyId, id, at, lastChange, withdrawnProposals],
  );
};

/** Notes how far an undo has looked for notes. */
export const updateUndoPlan = async (
  tx: CompanyTx,
  id: UndoId,
  { plannedUntil, isPlanned }: Pick<UndoRow, 'plannedUntil' | 'isPlanned'>,
): Promise<void> => {
  await tx.query(
    `update notes.undos set planned_until = $3, is_planned = $4 where company_id = $1 and id = $2`,
    [tx.companyId, id, plannedUntil && JSON.stringify(plannedUntil), isPlanned],
  );
};

export type UndoEnd = {
  readonly status: Extract<UndoStatus, 'succeeded' | 'failed'>;
  readonly error: UndoRow['error'];
  readonly at: Date;
};

/** Ends an undo, and its place in the queue. */
export const finishUndo = async (
  tx: CompanyTx,
  id: UndoId,
  { status, error, at }: UndoEnd,
): Promise<void> => {
  await Promise.all([
    tx.query(
      `update notes.job_queue set is_finished = true, lease_token = null
       where id = $2 and company_id = $1`,
      [tx.companyId, id],
    ),
    tx.query(
      `update notes.undos set status = $3, error = $4, finished_at = $5
       where company_id = $1 and id = $2 and finished_at is null`,
      [tx.companyId, id, status, error && JSON.stringify(error), at],
    ),
  ]);
};

/** The number of notes of an undo by outcome; null: not decided yet. */
export const countOutcomes = (
  tx: CompanyTx,
  id: UndoId,
): Promise<{ readonly outcome: UndoOutcome | null; readonly count: number }[]> =>
  tx.query(
    `select n.outcome, count(*)::integer as count from notes.undo_notes n
     where n.company_id = $1 and n.undo_id = $2
     group by n.outcome`,
    [tx.companyId, id],
  );

/** Deletes the dry runs of a company that ended before a time. */
export const deleteDryRuns = async (tx: CompanyTx, before: Date): Promise<void> => {
  const old = await tx.query<{ id: UndoId }>(
    `select u.id from notes.undos u
     where u.company_id = $1 and u.is_dry_run and u.finished_at < $2
     limit 100`,
    [tx.companyId, before],
  );
  if (old.length === 0) {
    return;
  }
  const values = [tx.companyId, old.map(({ id }) => id)];
  // Citus refuses a statement that writes several tables.
  await Promise.all([
    tx.query('delete from notes.undo_notes where company_id = $1 and undo_id = any ($2)', values),
    tx.query('delete from notes.undos where company_id = $1 and id = any ($2)', values),
    tx.query('delete from notes.job_queue where company_id = $1 and id = any ($2)', values),
  ]);
};
