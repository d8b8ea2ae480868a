import { AppError, mayPropose, type CompanyId } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import type { EditFailure, EditThread } from '../edit/edit-result.ts';
import type { ReserveBytes } from '../limits/stored-budget.ts';
import { findNote, findNoteUpTo } from '../queries/notes.ts';
import type { NoteRow } from '../queries/note-rows.ts';
import { isActive, noRevision } from '../rules/note-state.ts';
import { modeIn, writeScopeOf } from '../rules/within-grants.ts';
import { listOpenProposals, type ProposalRow } from '../queries/proposals.ts';
import { foldersOf } from './admit-change.ts';
import type { EditChange, PreparedEdit, WriteRequest } from './change.ts';
import { unlessCostly, type Costly, type Timed } from './costly-work.ts';
import { textEditsOf } from './edit-text.ts';

export type CostlyEditDeps = {
  readonly db: Db;
  readonly editThread: EditThread;
  /** Bounds the texts of costly edits of all companies. */
  readonly reserveEditBytes: ReserveBytes;
};

/** Time limit of the edits of one note. Half a MiB of Markdown is parsed in a fraction of it. */
const editMsMax = 2_000;
/** How often an edit begins again because another process has changed the note. */
const attemptsMax = 20;
const bytesMax = noteLimits.contentBytesMax;
/** A text and its edited version, with two bytes a character. */
const bytesPerByte = 4;

/**
 * Makes costly edits in the thread, while no lock is held and other writes of the company go on, and writes them. If the
 * note changes meanwhile, the edits are made again.
 */
export const writeCostlyEdit = async (
  deps: CostlyEditDeps,
  { companyId, request, write }: Costly,
  change: EditChange,
): Promise<Timed> => {
  let ms = 0;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const size = await sizeOf(deps.db, companyId, { request, change });
    const attempted = await deps.reserveEditBytes(bytesPerByte * size, async () => {
      const made = await prepare(deps, { companyId, request }, change);
      ms += made.ms;
      const prepared = { ...change, ...made.prepared };
      const changes = [prepared, ...request.changes.slice(1)];
      return write({ ...request, changes }).catch(unlessCostly);
    });
    if (attempted) {
      return { result: attempted, ms };
    }
  }
  throw new AppError('busy', 'Others change this note faster than it can be edited.');
};

type SubmittedEdit = { readonly request: WriteRequest; readonly change: EditChange };

/** The size of the note, and of the proposal that the edit may continue. */
const sizeOf = async (db: Db, companyId: CompanyId, edit: SubmittedEdit): Promise<number> => {
  const note = await read(db, inIndexOrder(companyId), (tx) => findNoteUpTo(tx, edit.change.id, 0));
  const earlier =
    note === null || mayPropose(edit.request.grants ?? null)
      ? await findEarlier(db, companyId, { ...edit, bytesMax: 0 })
      : null;
  return (note?.size ?? 0) + (earlier?.size ?? 0);
};

type Made = {
  readonly prepared: { readonly prepared?: PreparedEdit };
  readonly ms: number;
};

/** A note that is gone needs no edit, nor does a proposal out of the sender's reach: the writer says so. */
const prepare = async (
  { db, editThread }: CostlyEditDeps,
  { companyId, request }: Pick<Costly, 'companyId' | 'request'>,
  change: EditChange,
): Promise<Made> => {
  const note = await read(db, inIndexOrder(companyId), (tx) => findNote(tx, change.id));
  const earlier = mayGoOn(request, change, note)
    ? await findEarlier(db, companyId, { request, change, bytesMax })
    : null;
  const isGone = note === null ? earlier?.proposalOf !== null : !isActive(note);
  const content = earlier?.content ?? note?.content;
  const isHidden =
    earlier !== null &&
    modeIn(request.grants ?? null, [earlier.folder], writeScopeOf(note, change)) === null;
  if (isGone || isHidden || content === undefined) {
    return { prepared: {}, ms: 0 };
  }
  const revision = note?.revision ?? noRevision;
  const proposalId = earlier?.id ?? null;
  const made = await editThread({ content, edits: textEditsOf(change) }, editMsMax);
  const edited = made.edited ?? { failure: tooLong };
  return { prepared: { prepared: { revision, proposalId, edited } }, ms: made.ms };
};

/** Whether an edit may go on with a proposal of its sender: for the note as it is now, or for a new one. */
const mayGoOn = (request: WriteRequest, change: EditChange, note: NoteRow | null): boolean =>
  note === null || isProposed(request, change, note);

/** Whether an edit becomes a proposal, of the note as it is now. A sender may make some at once, and propose others. */
const isProposed = ({ grants = null }: WriteRequest, change: EditChange, note: NoteRow): boolean =>
  modeIn(
    grants,
    foldersOf(change, () => note.folder),
    writeScopeOf(note, change),
  ) === 'propose';

/** The open proposal that an edit continues; its text if it is no larger than `bytesMax`. */
const findEarlier = async (
  db: Db,
  companyId: CompanyId,
  { request, change, bytesMax }: SubmittedEdit & { readonly bytesMax: number },
): Promise<ProposalRow | null> => {
  const wanted = { authorId: request.author.id, noteId: change.id, isTextNeeded: true };
  const [open] = await read(db, inIndexOrder(companyId), (tx) =>
    listOpenProposals(tx, [wanted], bytesMax),
  );
  return open ?? null;
};

const tooLong: EditFailure = {
  code: 'edit_not_applicable',
  detail: 'The note is too complex to edit at this place; use append, prepend or one replace.',
};
