import type { Reach } from '@commonplace/contracts/core';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import { rejected, type Decision } from '../rules/decision.ts';
import { findNoteOwner, findNoteUpTo } from '../queries/notes.ts';
import { presentReadOnly } from '../present/present-note.ts';
import type { StoredNote } from '../queries/note-rows.ts';
import { listOpenProposals } from '../queries/proposals.ts';
import type { Change } from './change.ts';
import { applyRule } from './apply-rule.ts';

/** The decision on a change that will not be written. */
export type ChangePreview = Pick<Decision, 'error'> & { readonly note: StoredNote | null };

type Previewed = {
  readonly change: Extract<Change, { rule: 'put' | 'delete' | 'edit' }>;
  readonly authorId: string;
};

/**
 * Decides a change without writing it, for callers that may not write. A failed condition (412) takes
 * precedence over the state of agent or company (409), and another company's note (403) over both. A note that has left
 * the folders of the caller while its request was on its way is not there.
 */
export const previewChange = async (
  db: Db,
  reach: Reach,
  { change, authorId }: Previewed,
): Promise<ChangePreview> => {
  const note = await read(db, inIndexOrder(reach), (tx) => findNoteUpTo(tx, change.id, 0));
  const { companyId } = reach;
  const owner = note ? companyId : await read(db, 'global', (tx) => findNoteOwner(tx, change.id));
  if (
    note === null &&
    owner === companyId &&
    change.rule === 'edit' &&
    (await isProposed(db, reach, { change, authorId }))
  ) {
    return { error: null, note };
  }
  const { error } =
    owner !== null && owner !== companyId
      ? rejected('cross_company', 'The note belongs to another company.')
      : applyRule(change, note, inputsOf(note));
  return { error, note };
};

/** Whether an edit is of a new note that its sender has proposed, so that it would go on with that. */
const isProposed = async (
  db: Db,
  reach: Reach,
  { change, authorId }: Previewed,
): Promise<boolean> => {
  const wanted = { authorId, noteId: change.id, isTextNeeded: false };
  const open = await read(db, inIndexOrder(reach), (tx) => listOpenProposals(tx, [wanted], 0));
  return open.some(({ proposalOf }) => proposalOf === null);
};

/** Conditions need nothing but the note. Whether edits fit its content is not examined. */
const inputsOf = (note: StoredNote | null) => ({
  textOf: () => null,
  base: { revision: null, fields: null },
  undone: [],
  merged: null,
  readOnly: () => (note ? presentReadOnly(note) : {}),
  existing: () => null,
  noteOf: () => null,
  editText: () => null,
});
