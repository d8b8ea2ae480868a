import { describe, expect, it } from '@jest/globals';
import { noteNeighbours } from './note-neighbours.ts';

const link = (target: string | null, title = '') => ({ target, title, resolved: target !== null });
const backlink = (id: string) => ({ id, title: `from ${id}`, snippet: '' });

describe('the neighbours of a note', () => {
  it('are each there once, without the note itself and unresolved links', () => {
    const links = [link('a', 'A'), link('me'), link(null, 'lost'), link('b', 'B')];
    const backlinks = [backlink('b'), backlink('me'), backlink('c')];
    expect(noteNeighbours('me', { links, backlinks }, 5)).toEqual({
      left: [{ id: 'c', title: 'from c', direction: 'in' }],
      right: [
        { id: 'a', title: 'A', direction: 'out' },
        { id: 'b', title: 'B', direction: 'both' },
      ],
      omitted: 0,
    });
  });

  it('are limited on each side, and the others counted', () => {
    const links = ['a', 'b', 'c'].map((id) => link(id));
    const { left, right, omitted } = noteNeighbours('me', { links, backlinks: [] }, 2);
    expect([left.length, right.length, omitted]).toEqual([0, 2, 1]);
  });
});
