import type { NoteFields } from '@commonplace/contracts/notes';
import { presentReadOnly } from '../present/present-note.ts';
import type { StoredNote } from '../queries/note-rows.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import type { Base } from '../rules/decide-sync.ts';
import { rejected, type Decision } from '../rules/decision.ts';
import { wholeOf } from '../rules/note-state.ts';
import { addedText, modeIn } from '../rules/within-grants.ts';
import { applyRule } from './apply-rule.ts';
import type { Change, WriteRequest } from './change.ts';
import type { BatchState } from './batch-state.ts';
import { editText } from './edit-text.ts';

export type ChangeInput = {
  readonly change: Change;
  readonly base: Base;
  readonly request: WriteRequest;
  /** The merge of a put with the note; absent or null: both sides are kept. */
  readonly merged?: NoteFields | null;
  /** The open proposal of the sender that an edit continues; absent or null: none. */
  readonly earlier?: ProposalRow | null;
};

export const ofAnotherCompany = rejected('cross_company', 'The note belongs to another company.');

/** What the rule of a change makes of the note. */
export const applyChange = (
  now: StoredNote | null,
  state: BatchState,
  { change, base, request, merged = null, earlier = null }: ChangeInput,
): Decision =>
  now === null && state.foreignIds.has(change.id)
    ? ofAnotherCompany
    : applyRule(change, now, {
        textOf: (revision) => state.texts.find({ id: change.id, revision }),
        base,
        undone: state.undoneOf(change.id),
        merged,
        readOnly: () => (now ? presentReadOnly(now) : {}),
        noteOf: (id) => state.stagedNotes.find(id),
        existing: (create) => state.titledNotes.find(create),
        editText: (edit, note) => {
          const { content } = wholeOf(note);
          const { revision } = note;
          const edited = editText(edit, { content, revision, proposalId: earlier?.id ?? null });
          return modeIn(request.grants ?? null, [note.folder], 'any') === null
            ? addedText(edited)
            : edited;
        },
      });
