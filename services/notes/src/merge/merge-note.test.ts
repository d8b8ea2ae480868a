import { describe, expect, it } from '@jest/globals';
import { noteInput, type NoteFields } from '@commonplace/contracts/notes';
import fc from 'fast-check';
import { mergeNote } from './merge-note.ts';

const note = (fields: Partial<NoteFields> = {}): NoteFields => noteInput.parse(fields);

const someNote = fc
  .record({
    title: fc.constantFrom('a', 'b', 'c'),
    content: fc.array(fc.constantFrom('x', 'y', '', 'z')).map((lines) => lines.join('\n')),
    folder: fc.constantFrom('', 'f', 'f/g'),
    tags: fc.subarray(['p', 'q', 'r']),
    pinned: fc.boolean(),
    archived: fc.boolean(),
    properties: fc.constantFrom({}, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 }),
  })
  .map((fields) => note(fields));

describe('mergeNote', () => {
  it('an unchanged side yields to the other, and equal sides stay', () => {
    fc.assert(
      fc.property(someNote, someNote, (base, other) => {
        expect(mergeNote(base, base, other)).toEqual(other);
        expect(mergeNote(base, other, base)).toEqual(other);
        expect(mergeNote(base, other, other)).toEqual(other);
      }),
    );
  });

  it('is clean from both sides or from none, and only lines added at the same end differ in their order', () => {
    // Whether a text ends with a line break follows its last line.
    const linesOf = (content: string) => content.replace(/\n$/, '').split('\n');
    const inAnyOrder = (merged: NoteFields | null) =>
      merged && { ...merged, content: linesOf(merged.content).toSorted() };
    fc.assert(
      fc.property(someNote, someNote, someNote, (base, ours, theirs) => {
        expect(inAnyOrder(mergeNote(base, ours, theirs))).toEqual(
          inAnyOrder(mergeNote(base, theirs, ours)),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps the blank line that one side added at the end, where the other added a line without a line feed', () => {
    const merged = mergeNote(
      note({ content: 'x\n' }),
      note({ content: 'x\ny' }),
      note({ content: 'x\n\n' }),
    );
    expect(merged?.content).toBe('x\ny\n\n');
  });

  it('takes each field from the side that changed it', () => {
    const base = note({ title: 't', content: 'a\nb\nc' });
    const ours = { ...base, title: 'T', pinned: true, content: 'A\nb\nc' };
    const theirs = { ...base, folder: 'f', properties: { k: 1 }, content: 'a\nb\nC' };
    expect(mergeNote(base, ours, theirs)).toEqual(
      note({ title: 'T', pinned: true, folder: 'f', properties: { k: 1 }, content: 'A\nb\nC' }),
    );
  });

  it.each([
    ['title', { title: 'x' }, { title: 'y' }],
    ['folder', { folder: 'x' }, { folder: 'y' }],
    ['properties', { properties: { x: 1 } }, { properties: { y: 1 } }],
    ['content', { content: 'x' }, { content: 'y' }],
  ])('a %s changed differently on both sides is a conflict', (_field, ours, theirs) => {
    expect(mergeNote(note(), note(ours), note(theirs))).toBeNull();
  });

  it('merges tags as sets: keeps what either added, drops what either removed', () => {
    const merged = mergeNote(
      note({ tags: ['a', 'b', 'c'] }),
      note({ tags: ['b', 'c', 'd'] }),
      note({ tags: ['a', 'c', 'e'] }),
    );
    expect(merged?.tags).toEqual(['c', 'd', 'e']);
  });

  it('never makes a note beyond the limits', () => {
    const tags = (prefix: string) => Array.from({ length: 40 }, (_, index) => `${prefix}${index}`);
    expect(mergeNote(note(), note({ tags: tags('a') }), note({ tags: tags('b') }))).toBeNull();
    const half = 'x'.repeat(300_000);
    const base = 'one\ntwo\nthree';
    const [ours, theirs] = [base.replace('one', half), base.replace('three', half)];
    const [b, o, t] = [base, ours, theirs].map((content) => note({ content }));
    expect(b && o && t && mergeNote(b, o, t)).toBeNull();
  });
});
