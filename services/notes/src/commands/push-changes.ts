import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompanyId } from '@commonplace/contracts/core';
import {
  noteInput,
  type Author,
  type OnConflict,
  type SyncChange,
} from '@commonplace/contracts/notes';
import { fieldErrors } from '@commonplace/http';
import type { EarlierChange, Outcome, SyncedChange } from './change.ts';
import type { WriteNotes } from './create-note-writer.ts';

export type Push = {
  readonly companyId: CompanyId;
  readonly author: Author;
  readonly clientId: string;
  readonly onConflict: OnConflict;
  readonly changes: readonly SyncChange[];
  /** Of a request that is pushed in several parts: what later changes may follow. */
  readonly earlier?: readonly EarlierPush[];
};

/** A change that an earlier part pushed and that was not rejected, and what became of it. */
export type EarlierPush = {
  readonly change: SyncChange;
  readonly outcome: Pick<Outcome, 'status' | 'revision'>;
};

/** A change of a client, and what became of it. */
export type Pushed = { readonly change: SyncChange; readonly outcome: Outcome };

/**
 * Applies changes of a client in their order; one outcome for each. What is wrong inside a note
 * rejects that change before the others are written, and holds up none of them.
 */
export const pushChanges = async (write: WriteNotes, push: Push): Promise<Pushed[]> => {
  const readings = await readChanges(push);
  const good = readings.flatMap(({ reading }) => ('rule' in reading ? [reading] : []));
  const submission = { author: push.author, changes: good, earlier: readEarlier(push) };
  const written = good.length > 0 ? await write(push.companyId, submission) : [];
  const outcomeOf = new Map(good.map((change, index) => [change, written[index]]));
  return readings.map(({ change, reading }) => {
    const outcome = 'rule' in reading ? outcomeOf.get(reading) : reading;
    if (!outcome) {
      throw new Error('A change was written without an outcome');
    }
    return { change, outcome };
  });
};

/** How many changes are read before others get their turn: about a millisecond. */
const readAtOnce = 50;

const readChanges = async (push: Push) => {
  const readings: { readonly change: SyncChange; readonly reading: SyncedChange | Outcome }[] = [];
  for (const change of push.changes) {
    readings.push({ change, reading: readChange(push, change) });
    if (readings.length % readAtOnce === 0) {
      await nextTurn();
    }
  }
  return readings;
};

const readEarlier = (push: Push): EarlierChange[] =>
  (push.earlier ?? []).flatMap(({ change, outcome }) => {
    const reading = readChange(push, change);
    return 'rule' in reading ? [{ change: reading, outcome }] : [];
  });

const readChange = (push: Push, change: SyncChange): SyncedChange | Outcome => {
  const { id, baseRevision, mutationId } = change;
  const { clientId, onConflict } = push;
  const caller = `${push.author.kind}:${push.author.id}`;
  const mutation = { caller, clientId, mutationId };
  if (change.op === 'delete') {
    return { rule: 'sync_delete', id, baseRevision, mutation };
  }
  const parsed = noteInput.safeParse(change.note);
  if (!parsed.success) {
    return invalid(fieldErrors(parsed.error.issues));
  }
  return { rule: 'sync_put', id, fields: parsed.data, baseRevision, onConflict, mutation };
};

const invalid = (
  errors: readonly { readonly path: string; readonly message: string }[],
): Outcome => ({
  status: 'rejected',
  revision: null,
  note: null,
  wasLiving: false,
  conflictNoteId: null,
  isReplay: false,
  error: {
    code: 'validation_failed',
    detail: errors
      .slice(0, 5)
      .map(({ path, message }) => `${path || 'note'}: ${message}`)
      .join('; '),
  },
});
