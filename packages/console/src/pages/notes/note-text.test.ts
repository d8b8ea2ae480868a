import { describe, expect, it } from '@jest/globals';
import { changedFields, withMine, type NoteText } from './note-text.ts';

const base: NoteText = {
  title: 'Plan',
  content: 'one\n',
  folder: 'drafts',
  tags: ['a'],
  pinned: false,
  archived: false,
};

describe('two versions of a note', () => {
  it('differ in the fields that say something else, equal lists of tags not among them', () => {
    expect(changedFields(base, { ...base, tags: ['a'] })).toEqual([]);
    expect(changedFields(base, { ...base, title: 'x', tags: ['a', 'b'] })).toEqual([
      'title',
      'tags',
    ]);
  });

  it('are equal with the same tags in another order, as the server returns them', () => {
    const added = { ...base, tags: ['alpha', 'zeta', 'beta'] };
    expect(changedFields(added, { ...base, tags: ['alpha', 'beta', 'zeta'] })).toEqual([]);
    expect(changedFields(added, { ...base, tags: ['alpha', 'zeta', 'gamma'] })).toEqual(['tags']);
  });

  it('become theirs with what I changed, and nothing of theirs that I left alone is reverted', () => {
    const mine = { ...base, content: 'one, by me\n', pinned: true };
    const theirs = { ...base, title: 'The plan', folder: 'final', content: 'one, by them\n' };
    expect(withMine({ base, mine, theirs })).toEqual({
      ...base,
      title: 'The plan',
      folder: 'final',
      content: 'one, by me\n',
      pinned: true,
    });
  });

  it('have the tags of both, less those that one side removed', () => {
    const tagged = { ...base, tags: ['a', 'b'] };
    const mine = { ...tagged, tags: ['a', 'mine'] };
    const theirs = { ...tagged, tags: ['a', 'b', 'theirs'] };
    expect(withMine({ base: tagged, mine, theirs }).tags).toEqual(['a', 'theirs', 'mine']);
  });
});
