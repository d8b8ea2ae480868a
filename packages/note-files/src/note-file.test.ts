import { describe, expect, it } from '@jest/globals';
import { isSameText, noteText, type NoteText } from '@commonplace/client';
import fc from 'fast-check';
import { formatNoteFile, readNoteFile } from './note-file.ts';
import { pathFor } from './note-path.ts';
import { splitSourceFile, withSourceFile } from './source-file.ts';
import { createTakenPaths } from './taken-paths.ts';

const place = { title: 'Plan', folder: 'projects' };

/** Any characters, often those that YAML or editors treat in their own way. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        '\r',
        '\n',
        '\t',
        ' ',
        '\u0085',
        '\u2028',
        '\ufeff',
        '---',
        '...',
        '#',
        ': ',
        '- ',
        '"',
        "'",
        '{{',
        '[[',
        '&',
        '%',
        'a',
        'e\u0301',
        '~',
        '1',
        ',',
        '<<',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
);
const json = fc
  .jsonValue({ maxDepth: 3, stringUnit: 'binary' })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
/** Mostly notes without front matter, because only their content is written as it is. */
const often = (value: boolean) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, fc.boolean());
const note = fc
  .record({
    title: fc.oneof(fc.constant('Plan'), fc.string({ unit: 'binary' })),
    folder: fc.oneof(fc.constant('projects'), anyText),
    content: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('---', '---', 'a: 1', '', '- x', '\r', '--- '))
        .map((lines) => lines.join('\n')),
    ),
    tags: fc.oneof(fc.constant([]), fc.array(anyText.filter((tag) => tag.trim() !== ''))),
    pinned: often(false),
    archived: often(false),
    properties: fc.oneof(
      fc.constant({}),
      fc.dictionary(
        fc.oneof(fc.constantFrom('tags', 'title', 'properties', 'status', '__proto__'), anyText),
        fc.oneof(json, anyText),
      ),
    ),
  })
  .map(noteText);

/** The file of this test has the name of another title. */
const withoutName = (text: NoteText): NoteText => {
  const { plain, source } = splitSourceFile(text);
  const { name: _, ...others } = source;
  return withSourceFile(plain, others);
};

describe('a note as a file', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(note, (text) => {
        const read = withoutName(readNoteFile(formatNoteFile(text, place), place));
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

  it('keeps properties of nothing but blanks and line breaks', () => {
    const properties = { a: '  \n', b: ['\n  \n', ' ', '\n'], c: { '  \n': '   \n   \n' } };
    const text = noteText({ title: 'A', content: 'x', properties });
    const place = { title: 'A', folder: '' };
    expect(readNoteFile(formatNoteFile(text, place), place)).toEqual(text);
  });

  it('keeps a byte order mark at the start of a key or a text', () => {
    const text = noteText({ ...place, properties: { '\ufeffid': '\ufeff1' } });
    expect(readNoteFile(formatNoteFile(text, place), place)).toEqual(text);
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
    '---\ntags: [open\n---\n',
    '---\na: 1\na: 2\n---\n',
    '---\na: &x 1\nb: *x\n---\nbody',
    '---\ntitle: a: b\n---\nbody',
    `---\na: ${'['.repeat(5_000)}\n---\n`,
    `---\na: ${'['.repeat(200)}${']'.repeat(200)}\n---\n`,
    `---\n${'- '.repeat(5_000)}a\n---\n`,
    `---\n${'- '.repeat(5_000)}a\nb: 1\n---\n`,
    `---\n${'? '.repeat(9_000)}a\n---\n`,
    `---\n${Array.from({ length: 5_000 }, (_, at) => `k${at}: 1\n`).join('')}k7: 2\n---\n`,
  ])('keeps what is no YAML that a note can store as text: %j', (file) => {
    expect(readNoteFile(file, place)).toEqual(noteText({ ...place, content: file }));
    expect(formatNoteFile(readNoteFile(file, place), place)).toBe(file);
  });

  it.each([
    ['pinned: maybe', { pinned: false }],
    ['title:', { title: 'Plan' }],
    ['title: {{title}}', { title: '{{title}}' }],
    ['tags: {a: 1}', { tags: [] }],
    ['properties: 5', {}],
    ['date: {{date}}', { properties: { date: '{{date}}' } }],
    ['up: [[Home]]', { properties: { up: '[[Home]]' } }],
    ['links:\n  - [[a]]\n  - [[b]]', { properties: { links: ['[[a]]', '[[b]]'] } }],
    ['picture: !!binary aGk=', { properties: { picture: 'aGk=' } }],
    ['set: !!set {a, b}', { properties: { set: '{a, b}' } }],
  ])('understands %j, and keeps it as it is', (yaml, fields) => {
    const file = `---\n${yaml}\n---\nbody\n`;
    const { properties, ...text } = readNoteFile(file, place);
    const { sourceFile: _, ...own } = properties;
    expect({ ...text, properties: own }).toEqual(
      noteText({ ...place, content: 'body\n', ...fields }),
    );
    expect(formatNoteFile(readNoteFile(file, place), place)).toBe(file);
  });

  it.each(['\n', '\r\n'])(
    'changes only the lines of changed fields, with line breaks %j',
    (eol) => {
      const lines = [
        '\ufeff---',
        '# by hand',
        'title: "Plan"   # of the year',
        'tags:',
        '- b',
        '- a',
        "status:   'draft' # soon",
        'gone: yes',
        '',
        'list: [1,2,  3]',
        '---',
        'body',
        '',
      ];
      const file = lines.join(eol);
      const text = readNoteFile(file, place);
      const { gone: _, ...properties } = text.properties;
      const edited = formatNoteFile(
        {
          ...text,
          title: 'Roadmap',
          tags: ['c'],
          pinned: true,
          properties: { ...properties, status: 'done', more: [1] },
        },
        place,
      );
      expect(edited.split(eol)).toEqual([
        '\ufeff---',
        '# by hand',
        'title: Roadmap   # of the year',
        'tags:',
        '  - c',
        'status: done # soon',
        '',
        'list: [1,2,  3]',
        'pinned: true',
        'more:',
        '  - 1',
        '---',
        'body',
        '',
      ]);
    },
  );

  const pandoc = '---\ntitle: Plan\n...\n\nAn introduction.\n\n---\n';

  it.each([
    pandoc,
    '---\ntitle: Plan\n...\n# Heading\n---\n',
    '---\ntitle: Plan\n--- text\n---\n',
    '---\n\n# First slide\n\n---\n',
    '---\n~\n---\n',
  ])('has in its content what follows the end of YAML, and what sets nothing: %j', (block) => {
    const file = `${block}More.\n`;
    const text = readNoteFile(file, place);
    expect(text).toEqual(noteText({ ...place, content: file }));
    expect(formatNoteFile(text, place)).toBe(file);
  });

  it.each([pandoc, '---\n# First slide\n---\n'])(
    'loses no text that an earlier release stored as front matter: %j',
    (frontMatter) => {
      const stored = { ...place, content: 'More.\n', properties: { sourceFile: { frontMatter } } };
      expect(formatNoteFile(noteText(stored), place)).toBe(`${frontMatter}More.\n`);
      const changed = noteText({ ...stored, tags: ['x'] });
      expect(readNoteFile(formatNoteFile(changed, place), place)).toEqual(
        noteText({ ...place, tags: ['x'], content: `${frontMatter}More.\n` }),
      );
    },
  );

  it('is text where its front matter is far larger than that of a note, in no quadratic time', () => {
    const keys = Array.from({ length: 50_000 }, (_, at) => `k${at}: 1\n`).join('');
    for (const yaml of ['{a}'.repeat(40_000), keys]) {
      const file = `---\n${yaml}\n---\n`;
      expect(readNoteFile(file, place)).toEqual(noteText({ ...place, content: file }));
    }
  });

  it('is read back with as many nested properties as a note has', () => {
    const list: unknown = Array.from({ length: 8_000 }, () => 1);
    const nested = Array.from({ length: 30 }).reduce<unknown>((inner) => [inner], list);
    const text = noteText({ ...place, properties: { nested, lines: 'a\nb', code: '007' } });
    expect(readNoteFile(formatNoteFile(text, place), place)).toEqual(text);
  });

  it('writes any change of a note into any stored front matter, also one that is no map', () => {
    const block = fc.constantFrom(
      '---\n# c\ntitle: x\ntags: a, b\n---\n',
      '---\r\n{a: 1, pinned: true}\r\n---\r\n',
      '---\na: |\n  text\nproperties:\n  title: y\nfolder: z\n---\n',
      '---\n"quoted key": 1\n? [complex]\n: 2\n---\n',
      '---\n\n---\n',
      '---\n{}\n...\n---\n',
      '---\nonly text\n---\n',
      '---\n- a list\n---\n',
      '---\na: [open\n---\n',
      '---\na: 1\na: 2\n---\n',
      '---\n%YAML 9\n---\n',
      `---\na: ${'['.repeat(6_000)}\n---\n`,
      'no front matter',
    );
    fc.assert(
      fc.property(note, block, (text, frontMatter) => {
        const stored = { ...text, properties: { ...text.properties, sourceFile: { frontMatter } } };
        const read = readNoteFile(formatNoteFile(stored, place), place);
        const { sourceFile: _, ...properties } = read.properties;
        expect(isSameText({ ...read, properties }, text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('with a title of its own keeps the name of its file', () => {
    const text = readNoteFile('---\ntitle: The launch\n---\n', { title: '2026-11-24', folder: '' });
    expect(text).toMatchObject({
      title: 'The launch',
      properties: { sourceFile: { name: '2026-11-24' } },
    });
    expect(pathFor({ text, conflictOf: null }, null, createTakenPaths())).toBe('2026-11-24.md');
    const hostile = { ...text, properties: { sourceFile: { name: '../../.ssh/x' } } };
    expect(pathFor({ text: hostile, conflictOf: null }, null, createTakenPaths())).toBe(
      '__-..-.ssh-x.md',
    );
  });
});
