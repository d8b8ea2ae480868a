import { describe, expect, it } from '@jest/globals';
import { createLinkResolver, noteIdOfHref } from './resolve-note-link.ts';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const links = [
  { target: id, title: 'Plan B', resolved: true },
  { target: null, title: 'Lost', resolved: false },
];

describe('a link of a note', () => {
  it('leads to its target by title, whatever the case and the spaces, and by id', () => {
    const resolve = createLinkResolver(links, true);
    expect(['Plan B', ' plan  b', id, id.toUpperCase()].map(resolve)).toEqual([id, id, id, id]);
  });

  it('has no target if the title is unresolved, and an unknown one while links are missing', () => {
    expect(['Lost', 'Other'].map(createLinkResolver(links, true))).toEqual([null, null]);
    expect(['Lost', 'Other'].map(createLinkResolver(links, false))).toEqual([null, undefined]);
  });

  it('is a Markdown link to a note, too, but no other address', () => {
    expect(noteIdOfHref(`/notes/${id.toUpperCase()}#top`)).toBe(id);
    const others = [undefined, '/notes/x', `/notes/${id}0`, `https://example.org/notes/${id}`];
    expect(others.map(noteIdOfHref)).toEqual([null, null, null, null]);
  });
});
