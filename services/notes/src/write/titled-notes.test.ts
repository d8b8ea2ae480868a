import { expect, it } from '@jest/globals';
import { newId, noteId } from '@commonplace/contracts/core';
import type { CreateChange } from './change.ts';
import { createTitledNotes } from './titled-notes.ts';

const aNoteId = () => noteId.parse(newId());
const creation = (title: string) =>
  ({
    rule: 'create',
    id: aNoteId(),
    fields: { folder: '', title },
    ifTitleExists: 'return',
  }) as CreateChange;

const rowsOf = (
  place: number,
  notes: readonly { id: ReturnType<typeof aNoteId>; title: string }[],
) =>
  notes.map((note) => ({
    ...note,
    place,
    key: 'todo',
    folder: '',
    revision: 1,
    updatedAt: new Date(),
    conflictOf: null,
  }));

it('creations of a batch whose titles differ in their letters each find the note of their own', () => {
  const notes = [
    { id: aNoteId(), title: 'TODO' },
    { id: aNoteId(), title: 'todo' },
  ];
  const changes = ['todo', 'TODO', 'Todo'].map(creation);
  const titled = createTitledNotes(
    changes,
    changes.flatMap((_, place) => rowsOf(place, notes)),
  );
  expect(changes.map((change) => titled.find(change)?.id)).toEqual([
    notes[1]?.id,
    notes[0]?.id,
    notes[0]?.id,
  ]);
});

it('a note that one of them creates is that of the others, whatever their letters are', () => {
  const changes = ['todo', 'TODO'].map(creation);
  const none = changes.flatMap((_, place) =>
    rowsOf(place, [{ id: aNoteId(), title: '' }]).map((row) => ({ ...row, id: null })),
  );
  const titled = createTitledNotes(changes, none);
  const [first, second] = changes as [CreateChange, CreateChange];
  expect(titled.find(second)).toBeNull();
  titled.add(first, { id: first.id, revision: 1 });
  expect(titled.find(second)).toEqual({ id: first.id, revision: 1 });
});
