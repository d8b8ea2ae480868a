import { expect, it } from '@jest/globals';
import { noteText } from '@commonplace/client';
import { foldPath, placeOf, readNoteFile } from '@commonplace/note-files';
import fc from 'fast-check';
import { createFileOf } from './file-of-note.ts';

const noteOf = (title: string, folder: string) => ({
  title,
  folder,
  content: 'Text',
  tags: [],
  pinned: false,
  archived: false,
  properties: {},
  conflictOf: null,
  updatedAt: '2026-01-09T12:00:00.000Z',
});

it('notes of folders that differ only in case are in one, and keep their folders', () => {
  const fileOf = createFileOf();
  const files = [noteOf('Plan', 'Lab'), noteOf('plan', 'lab'), noteOf('Rats', 'LAB/a')].map(fileOf);
  expect(files.map(({ name }) => name)).toEqual([
    'Lab/Plan.md',
    'Lab/plan (2).md',
    'Lab/a/Rats.md',
  ]);
  expect(files.map(({ name, input }) => readNoteFile(input, placeOf(name)).folder)).toEqual([
    'Lab',
    'lab',
    'LAB/a',
  ]);
});

it('notes of any name have files that every disk keeps apart, each of which is read as its note', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'Plan',
      'PLAN',
      'plan (2)',
      'x.md',
      'X.md_',
      '..',
      ' .a',
      'con',
      'aux .b',
      'e\u0301',
      '\u00e9',
    ),
    fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => !text.includes('\0')),
    fc.string({
      unit: fc.constantFrom('\u202e', '\u2028', '/', '\\', ':', '.', ' ', '\ufeff', '\u{1f44d}'),
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ title: name, folder: name }), { maxLength: 30 }), (names) => {
      const fileOf = createFileOf();
      const files = names.map(({ title, folder }) => fileOf(noteOf(title, folder)));
      const paths = files.map((file) => file.name);
      expect(new Set(paths.map(foldPath)).size).toBe(paths.length);
      const folders = paths.map((path) => path.split('/').slice(0, -1).join('/'));
      expect(new Set(folders.map(foldPath)).size).toBe(new Set(folders).size);
      files.forEach((file, at) => {
        expect(file.name).not.toMatch(
          /(?:^|\/)(?:\.|(?:con|prn|aux|nul)\s*\.)|\\|[. ](?:\/|$)|^\/|\/\//i,
        );
        const { title, folder, content } = readNoteFile(file.input, placeOf(file.name));
        expect({ title, folder, content }).toEqual({ ...names[at], content: 'Text' });
      });
    }),
  );
});

it('a note of any title has the text of the note', () => {
  const note = { ...noteOf('...', ''), tags: ['a, b'], content: '\ufeffno line break\r\n' };
  const { name, input } = createFileOf()(note);
  const { properties: _, ...read } = readNoteFile(input, placeOf(name));
  const { properties: __, ...text } = noteText(note);
  expect([name, read]).toEqual(['Untitled.md', text]);
});
