import { describe, expect, it } from '@jest/globals';
import { isSameText, noteText } from '@commonplace/client';
import fc from 'fast-check';
import { formatNoteFile, readNoteFile, UnreadableFileError } from './note-file.ts';

const place = { title: 'Plan', folder: 'projects' };

const json = fc.jsonValue({ maxDepth: 3 });
const note = fc
  .record({
    title: fc.oneof(fc.constant('Plan'), fc.string({ unit: 'binary' })),
    folder: fc.oneof(fc.constant('projects'), fc.string()),
    content: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom('---', 'a: 1', '', '- x', '\r')).map((lines) => lines.join('\n')),
    ),
    tags: fc.array(fc.string({ minLength: 1 })),
    pinned: fc.boolean(),
    archived: fc.boolean(),
    properties: fc.dictionary(
      fc.oneof(fc.constantFrom('tags', 'title', 'properties', 'status', '__proto__'), fc.string()),
      json.filter((value) => !Object.is(value, -0)),
    ),
  })
  .map(noteText);

describe('a note as a file', () => {
  it('reads back as what was written, whatever it holds', () => {
    fc.assert(
      fc.property(note, (text) => {
        const read = readNoteFile(formatNoteFile(text, place), place);
        expect([isSameText(read, text), read]).toEqual([true, text]);
      }),
      { numRuns: 500 },
    );
  });

  it('is its content alone when name and place say the rest', () => {
    expect(formatNoteFile(noteText({ ...place, content: 'text\n' }), place)).toBe('text\n');
  });

  it.each([
    ['---\nnothing but text between rules\n---\nmore', 'prose between rules'],
    ['--- not a rule', 'no front matter'],
    ['---\nopen', 'never closed'],
  ])('takes %j as content: %s', (file) => {
    expect(readNoteFile(file, place)).toEqual(noteText({ ...place, content: file }));
  });

  it.each([
    ['---\ntags: [open\n---\n', 'no YAML'],
    ['---\npinned: maybe\n---\n', 'pinned must be true or false'],
    ['---\nproperties: 5\n---\n', 'properties must be a map'],
    ['---\na: &x 1\nb: *x\n---\n', 'holds what a note cannot'],
  ])('refuses %j', (file, message) => {
    expect(() => readNoteFile(file, place)).toThrow(message);
  });

  it('names its own errors, so that others stay bugs', () => {
    expect(() => readNoteFile('---\ntags: 5\n---\n', place)).toThrow(UnreadableFileError);
  });
});
