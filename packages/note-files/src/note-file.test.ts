import { describe, expect, it } from '@jest/globals';
import { isSameText, noteText } from '@commonplace/client';
import fc from 'fast-check';
import { formatNoteFile, readNoteFile, UnreadableFileError } from './note-file.ts';

const place = { title: 'Plan', folder: 'projects' };

const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
/** Mostly notes without front matter, because only their content is written as it is. */
const often = (value: boolean) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, fc.boolean());
const note = fc
  .record({
    title: fc.oneof(fc.constant('Plan'), fc.string({ unit: 'binary' })),
    folder: fc.oneof(fc.constant('projects'), fc.string()),
    content: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('---', '---', 'a: 1', '', '- x', '\r', '--- '))
        .map((lines) => lines.join('\n')),
    ),
    tags: fc.oneof(fc.constant([]), fc.array(fc.string({ minLength: 1 }))),
    pinned: often(false),
    archived: often(false),
    properties: fc.oneof(
      fc.constant({}),
      fc.dictionary(
        fc.oneof(
          fc.constantFrom('tags', 'title', 'properties', 'status', '__proto__'),
          fc.string(),
        ),
        json,
      ),
    ),
  })
  .map(noteText);

describe('a note as a file', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(note, (text) => {
        const read = readNoteFile(formatNoteFile(text, place), place);
        expect([isSameText(read, text), read]).toEqual([true, text]);
      }),
      { numRuns: 500 },
    );
  });

  it('is only its content when its path expresses the other fields', () => {
    expect(formatNoteFile(noteText({ ...place, content: 'text\n' }), place)).toBe('text\n');
  });

  it.each([
    '---\na: 1\n---\nbody\n',
    '---\n---\nbody\n',
    '---\n---\n---\na: 1\n---\nbody\n',
    '---\n---\n',
    '---\r\na: 1\r\n---\r\nbody\r\n',
    '--- \na: 1\n---\n',
    '---\n\n---\n',
  ])('keeps every line of content that begins with front matter: %j', (content) => {
    for (const text of [
      noteText({ ...place, content }),
      noteText({ ...place, content, tags: ['x'] }),
    ]) {
      expect(readNoteFile(formatNoteFile(text, place), place)).toEqual(text);
    }
  });

  it('keeps the notation of numbers', () => {
    const matter = [
      'version: 1.10',
      'account: 12345678901234567890',
      'code: 007',
      'hex: 0x1F',
      'list:',
      '  - -0',
      '  - 1e3',
      '  - .inf',
      'plain: 1.5',
      'count: 42',
    ].join('\n');
    const file = `---\n${matter}\n---\nbody\n`;
    const text = readNoteFile(file, place);
    expect(text.properties).toEqual({
      version: '1.10',
      account: '12345678901234567890',
      code: '007',
      hex: '0x1F',
      list: ['-0', '1e3', '.inf'],
      plain: 1.5,
      count: 42,
    });
    expect(formatNoteFile(text, place)).toBe(file);
    expect(readNoteFile('---\ntitle: 1.10\ntags: [2.0]\n1.0: x\n---\n', place)).toMatchObject({
      title: '1.10',
      tags: ['2.0'],
      properties: { '1.0': 'x' },
    });
  });

  it('writes negative zero as zero', () => {
    const text = noteText({ ...place, properties: { zero: [-0] } });
    const read = readNoteFile(formatNoteFile(text, place), place);
    expect(read.properties).toEqual({ zero: [0] });
  });

  it('reads numbers back as numbers, and strings that look like numbers as strings', () => {
    const scalar = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      fc.maxSafeInteger(),
      fc.bigInt().map(String),
      fc.double().map(String),
      fc.stringMatching(/^[-+]?[0-9]{0,3}\.?[0-9]{0,3}(e[-+]?[0-9]{1,2})?$/),
      fc.stringMatching(/^0[xo]?[0-9a-f]{0,4}$/),
      fc.constantFrom('.inf', '-.INF', '.nan', '~', 'null', 'true', '+1', '1_000', '0b1', ''),
    );
    fc.assert(
      fc.property(fc.array(scalar), fc.dictionary(scalar.map(String), scalar), (list, map) => {
        const text = noteText({ ...place, properties: { list, map } });
        expect(readNoteFile(formatNoteFile(text, place), place)).toEqual(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['---\nnothing but text between rules\n---\nmore', 'prose between rules'],
    ['--- not a rule', 'no front matter'],
    ['---\nopen', 'never closed'],
  ])('reads %j as content: %s', (file) => {
    expect(readNoteFile(file, place)).toEqual(noteText({ ...place, content: file }));
  });

  it.each([
    ['---\ntags: [open\n---\n', 'not valid YAML'],
    ['---\npinned: maybe\n---\n', 'pinned must be true or false'],
    ['---\nproperties: 5\n---\n', 'properties must be a map'],
    ['---\na: &x 1\nb: *x\n---\n', 'has a value that a note cannot store'],
  ])('rejects %j', (file, message) => {
    expect(() => readNoteFile(file, place)).toThrow(message);
  });

  it('throws an UnreadableFileError, so that callers can distinguish it from a bug', () => {
    expect(() => readNoteFile('---\ntags: 5\n---\n', place)).toThrow(UnreadableFileError);
  });
});
