import type { NoteId } from '@commonplace/contracts/core';
import type { TitledNote } from '../queries/titles.ts';
import { existingOfTitle } from '../rules/note-of-title.ts';
import type { CreateChange, Outcome, SubmittedChange, WriteRequest } from './change.ts';

/** A note that has the title a change creates. */
export type ExistingNote = { readonly id: NoteId; readonly revision: number };

/** Whether a change creates a note only if its title is new. */
export const isConditionalCreate = (change: SubmittedChange): change is CreateChange =>
  change.rule === 'create' && change.ifTitleExists !== 'create';

/**
 * The order in which the requests of a batch are decided: those that depend on titles first. Titles are read
 * under the lock and before any change of the batch, and requests of a batch are concurrent.
 */
export const titlesFirst = (requests: readonly WriteRequest[]): readonly WriteRequest[] => {
  return requests.some(dependsOnTitles)
    ? [...requests.filter(dependsOnTitles), ...requests.filter((each) => !dependsOnTitles(each))]
    : requests;
};

const dependsOnTitles = ({ changes }: WriteRequest): boolean => changes.some(isConditionalCreate);

/** The notes of the titles that the changes of a transaction depend on. `rows` are those of `changes`. */
export const createTitledNotes = (
  changes: readonly CreateChange[],
  rows: readonly TitledNote[],
) => {
  const nameOf = new Map<CreateChange, string>();
  const titleKeyOf = new Map<CreateChange, string>();
  // Of several notes of a title the letters decide, so that each change has its own.
  const foundFor = new Map<CreateChange, ExistingNote>();
  const added = new Map<string, ExistingNote>();
  for (const [place, found] of Map.groupBy(rows, (row) => row.place)) {
    const change = changes[place];
    const key = found[0]?.key;
    if (change && key !== undefined) {
      nameOf.set(change, `${key}\u0000${change.fields.folder}`);
      titleKeyOf.set(change, key);
      const { id, revision } = existingOfTitle(found, change.fields.title) ?? {};
      if (id && revision !== undefined) {
        foundFor.set(change, { id, revision });
      }
    }
  }
  return {
    /** The note of the title; null: there is none. */
    find: (change: CreateChange): ExistingNote | null =>
      foundFor.get(change) ?? added.get(nameOf.get(change) ?? '') ?? null,
    /** The key of the title that the change depends on: equal for titles that notes do not distinguish. */
    titleKeyOf: (change: CreateChange): string | null => titleKeyOf.get(change) ?? null,
    /** Remembers a note that the transaction creates. */
    add: (change: CreateChange, note: ExistingNote): void => {
      const name = nameOf.get(change);
      if (name !== undefined) {
        added.set(name, note);
      }
    },
  };
};

export type TitledNotes = ReturnType<typeof createTitledNotes>;

/** The outcome of a creation: the note of this title if there is one, else the new note. */
export const withExisting = (
  titledNotes: TitledNotes,
  change: CreateChange,
  outcome: Outcome,
): Outcome => {
  const existing = outcome.status === 'unchanged' ? titledNotes.find(change) : null;
  if (outcome.status === 'applied') {
    titledNotes.add(change, { id: change.id, revision: outcome.revision ?? 1 });
  }
  return existing ? { ...outcome, noteId: existing.id, revision: existing.revision } : outcome;
};
