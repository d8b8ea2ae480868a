import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import { readInIndexOrder, type Db } from '@commonplace/db';
import type { EditedText, EditFailure, EditThread } from '../edit/edit-result.ts';
import type { ReserveBytes } from '../limits/byte-budget.ts';
import type { LimitHeavyWork } from '../limits/heavy-work-limiter.ts';
import { findNote, findNoteUpTo } from '../queries/notes.ts';
import { isActive } from '../rules/note-state.ts';
import type { EditChange, WriteRequest, WriteResult } from './change.ts';
import { CostlyEditError, textEditsOf } from './edit-text.ts';

export type CostlyEditDeps = {
  readonly db: Db;
  readonly editThread: EditThread;
  /** Costly edits of a company: one at a time, and few that wait. */
  readonly limitCostlyEdits: LimitHeavyWork;
  /** Bounds the texts of costly edits of all companies. */
  readonly reserveEditBytes: ReserveBytes;
};

type Write = (submission: WriteRequest) => Promise<WriteResult>;

/** Time limit of the edits of one note. Half a MiB of Markdown is parsed in a fraction of it. */
const editMsMax = 2_000;
/** How often an edit begins again because another process has changed the note. */
const attemptsMax = 20;
/** After an edit that takes longer than this, a company leaves the thread to others for as long as it took beyond it. */
const unrestedMs = 250;
/** The text of a note and of its edited version, with two bytes a character. */
const bytesPerByte = 4;

/**
 * Writes a request; if its edits are costly, makes them in the thread first, while no lock is held and other writes of
 * the company go on. If the note changes meanwhile, the edits are made again.
 */
export const writeCostlyEdit = async (
  deps: CostlyEditDeps,
  { companyId, submission, write }: Costly,
): Promise<WriteResult> => {
  try {
    return await write(submission);
  } catch (error) {
    const [change] = submission.changes;
    if (!(error instanceof CostlyEditError) || change?.rule !== 'edit') {
      throw error;
    }
    return inSlot(deps.limitCostlyEdits, companyId, () =>
      writePrepared(deps, { companyId, submission, write, change }),
    );
  }
};

type Costly = {
  readonly companyId: CompanyId;
  readonly submission: WriteRequest;
  readonly write: Write;
};

/** Holds the slot of the company beyond the result, so that the thread serves other companies in between. */
const inSlot = (
  limit: LimitHeavyWork,
  companyId: CompanyId,
  work: () => Promise<Timed>,
): Promise<WriteResult> =>
  new Promise((resolve, reject) => {
    limit(companyId, async () => {
      const { result, ms } = await work();
      resolve(result);
      await pause(Math.max(0, ms - unrestedMs), undefined, { ref: false });
    }).catch(reject);
  });

type Timed = { readonly result: WriteResult; readonly ms: number };

const writePrepared = async (
  deps: CostlyEditDeps,
  { companyId, submission, write, change }: Costly & { readonly change: EditChange },
): Promise<Timed> => {
  let ms = 0;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const size = await sizeOf(deps.db, companyId, change.id);
    const attempted = await deps.reserveEditBytes(bytesPerByte * size, async () => {
      const made = await prepare(deps, companyId, change);
      ms += made.ms;
      const prepared = { ...change, ...made.prepared };
      const changes = [prepared, ...submission.changes.slice(1)];
      return write({ ...submission, changes }).catch(unlessChanged);
    });
    if (attempted) {
      return { result: attempted, ms };
    }
  }
  throw new AppError('busy', 'Others change this note faster than it can be edited.', {
    headers: { 'Retry-After': '1' },
  });
};

/** Null: the note is no longer at the revision that was edited. */
const unlessChanged = (error: unknown): null => {
  if (error instanceof CostlyEditError) {
    return null;
  }
  throw error;
};

const sizeOf = async (db: Db, companyId: CompanyId, id: NoteId): Promise<number> =>
  (await readInIndexOrder(db, companyId, (tx) => findNoteUpTo(tx, id, 0)))?.size ?? 0;

type Made = {
  readonly prepared: {
    readonly prepared?: { readonly revision: number; readonly edited: EditedText };
  };
  readonly ms: number;
};

/** A note that is gone needs no edit: the writer says so. */
const prepare = async (
  { db, editThread }: CostlyEditDeps,
  companyId: CompanyId,
  change: EditChange,
): Promise<Made> => {
  const note = await readInIndexOrder(db, companyId, (tx) => findNote(tx, change.id));
  if (!isActive(note)) {
    return { prepared: {}, ms: 0 };
  }
  const { content, revision } = note;
  const { edited, ms } = await editThread({ content, edits: textEditsOf(change) }, editMsMax);
  return { prepared: { prepared: { revision, edited: edited ?? { failure: tooLong } } }, ms };
};

const tooLong: EditFailure = {
  code: 'edit_not_applicable',
  detail: 'The note is too complex to edit at this place; use append, prepend or one replace.',
};
