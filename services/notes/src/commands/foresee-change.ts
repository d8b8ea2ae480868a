import type { CompanyId } from '@commonplace/contracts/core';
import { readInIndexOrder, runGlobal, type Db } from '@commonplace/db';
import { refused, type Decision } from '../policy/decision.ts';
import { findNoteOwner } from '../queries/find-note-owner.ts';
import { findNote } from '../queries/find-note.ts';
import type { NoteRow } from '../queries/note-row.ts';
import type { Change } from './change.ts';
import { judgeChange } from './judge-change.ts';

/** What a rule says about a change that will not be made. */
export type Judgement = Pick<Decision, 'error'> & { readonly note: NoteRow | null };

/**
 * Judges a change without making it, for callers that may not write: its conditions (412) are spoken
 * of before the state of agent or company (409), and a foreign note (403) before both.
 */
export const foreseeChange = async (
  db: Db,
  companyId: CompanyId,
  change: Extract<Change, { rule: 'put' | 'delete' }>,
): Promise<Judgement> => {
  const note = await readInIndexOrder(db, companyId, (tx) => findNote(tx, change.id));
  const owner = note ? companyId : await runGlobal(db, (tx) => findNoteOwner(tx, change.id));
  const { error } =
    owner !== null && owner !== companyId
      ? refused('cross_company', 'The note belongs to another company.')
      : judgeChange(change, note, noMaterial);
  return { error, note };
};

/** PUT and DELETE ask for nothing but the note. */
const noMaterial = {
  textOf: () => null,
  base: { revision: null, fields: null },
  merge: () => null,
};
