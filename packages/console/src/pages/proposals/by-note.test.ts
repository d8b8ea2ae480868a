import { expect, it } from '@jest/globals';
import { byNote, countByNote } from './by-note.ts';

const proposal = (id: number, noteId: string, state: 'open' | 'accepted' = 'open') => ({
  id,
  noteId,
  state,
});

it('puts open proposals of one note together, where the newest stands, and leaves the others in their order', () => {
  const proposals = [
    proposal(6, 'a'),
    proposal(5, 'b'),
    proposal(4, 'a', 'accepted'),
    proposal(3, 'a'),
    proposal(2, 'c'),
    proposal(1, 'b'),
  ];
  expect(byNote(proposals).map(({ id }) => id)).toEqual([6, 3, 5, 1, 4, 2]);
  expect([...countByNote(proposals)]).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 1],
  ]);
});
