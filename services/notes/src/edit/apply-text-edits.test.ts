import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TextEdit } from '@commonplace/contracts/notes';
import { applyTextEdits, tooCostly } from './apply-text-edits.ts';
import { findOccurrences } from './find-occurrences.ts';
import { markdownOutline } from './markdown-outline.ts';
import { applyMergePatch } from './merge-patch.ts';

const applyWithin = (costMax: number, content: string, edits: readonly TextEdit[]) =>
  applyTextEdits(
    content,
    edits.map((edit, index) => ({ edit, index })),
    { outlineOf: markdownOutline, costMax },
  );
const apply = (content: string, ...edits: TextEdit[]) => {
  const edited = applyWithin(Infinity, content, edits);
  if (edited === tooCostly) {
    throw new Error('Nothing costs more than infinity');
  }
  return edited;
};
const contentOf = (content: string, ...edits: TextEdit[]) => {
  const edited = apply(content, ...edits);
  return 'content' in edited ? edited.content : edited.failure.code;
};

describe('applyTextEdits', () => {
  it('append and prepend keep the content and every text, in order', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (content, texts) => {
        const appended = texts.map((text) => ({ op: 'append', text }) as const);
        expect(contentOf(content, ...appended)).toBe(content + texts.join(''));
        const prepended = texts.map((text) => ({ op: 'prepend', text }) as const);
        expect(contentOf(content, ...prepended)).toBe(texts.toReversed().join('') + content);
      }),
    );
  });

  it('replace changes every occurrence if there are exactly as many as expected, else nothing', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 12 });
    fc.assert(
      fc.property(
        short,
        short,
        fc.tuple(short, fc.integer({ min: 1, max: 4 })),
        (content, find, [text, count]) => {
          fc.pre(find !== '');
          const found = content.split(find).length - 1;
          const edited = apply(content, { op: 'replace', find, with: text, count });
          const failure = {
            code: 'edit_not_applicable',
            detail: `The text occurs ${found} times, not ${count}.`,
            extensions: { edit: 0, found },
          };
          expect(edited).toEqual(
            found === count ? { content: content.split(find).join(text) } : { failure },
          );
        },
      ),
    );
  });

  it('edits at a heading leave all other lines as they are', () => {
    const line = fc.constantFrom(
      '# A',
      '## B',
      '### C',
      'text',
      '',
      '```',
      '- a',
      '> # Q',
      'T\n===',
    );
    fc.assert(
      fc.property(fc.array(line), fc.nat(), (lines, nat) => {
        const content = lines.join('\n');
        const outline = markdownOutline(content);
        const heading = outline[nat % Math.max(1, outline.length)];
        fc.pre(
          heading !== undefined && outline.filter(({ text }) => text === heading.text).length === 1,
        );
        const name = heading?.text ?? '';
        const inserted = contentOf(content, { op: 'insert_after', heading: name, text: 'NEW' });
        expect(inserted.split('\n').filter((each) => each !== '' && each !== 'NEW')).toEqual(
          content.split('\n').filter((each) => each !== ''),
        );
        const before = contentOf(content, { op: 'insert_before', heading: name, text: 'NEW' });
        expect(before.split('\n').filter((each) => each !== '' && each !== 'NEW')).toEqual(
          content.split('\n').filter((each) => each !== ''),
        );
      }),
    );
  });

  it('a section ends where the next heading of its level or a higher one begins', () => {
    const content = 'Top\n===\n\n## A\none\n### A1\ntwo\n## B\nthree\n';
    expect(contentOf(content, { op: 'replace_section', heading: 'A', text: 'x' })).toBe(
      'Top\n===\n\n## A\nx\n## B\nthree\n',
    );
    expect(contentOf(content, { op: 'replace_section', heading: 'Top/B', text: '' })).toBe(
      'Top\n===\n\n## A\none\n### A1\ntwo\n## B\n',
    );
    expect(contentOf('# A', { op: 'insert_after', heading: 'A', text: 'x' })).toBe('# A\nx');
  });

  it('keeps every heading as it is, whatever text is put beside it', () => {
    const line = fc.constantFrom('# A', '## B', 'C\n===', 'D\n---', 'two\nlines\n===', 'text', '');
    const text = fc.constantFrom(
      'new',
      'new\n',
      '- new',
      '> new',
      '| new |',
      '\nnew\n\n',
      '1. new',
    );
    const op = fc.constantFrom(
      'insert_before' as const,
      'insert_after' as const,
      'append_to_section' as const,
      'prepend_to_section' as const,
    );
    const headingsOf = (content: string) =>
      markdownOutline(content).map((heading) => `${heading.level} ${heading.text}`);
    fc.assert(
      fc.property(fc.array(line), fc.nat(), fc.tuple(op, text), (lines, nat, [kind, added]) => {
        const content = lines.join('\n');
        const names = markdownOutline(content).map((heading) => heading.text);
        const heading = names[nat % Math.max(1, names.length)] ?? '';
        fc.pre(names.filter((each) => each === heading).length === 1 && !heading.includes('\n'));
        const edited = contentOf(content, { op: kind, heading, text: added });
        expect(headingsOf(edited)).toEqual(headingsOf(content));
        expect(edited).toContain(added.trim());
      }),
      { numRuns: 500 },
    );
  });

  it('a blank line stands where Markdown would join, and nowhere else', () => {
    const content = 'Top\n===\nold\n- item\n\nNext\n----\n';
    const put = (op: 'insert_after' | 'insert_before', heading: string, text: string) =>
      contentOf(content, { op, heading, text });
    expect(put('insert_before', 'Top/Next', 'new')).toBe(
      'Top\n===\nold\n- item\n\nnew\n\nNext\n----\n',
    );
    expect(put('insert_after', 'Top', 'new')).toBe('Top\n===\nnew\n\nold\n- item\n\nNext\n----\n');
    expect(contentOf(content, { op: 'replace_section', heading: 'Next', text: 'x' })).toBe(
      'Top\n===\nold\n- item\n\nNext\n----\nx\n',
    );
    const list = '# A\n- one\n\n# B\ntext';
    expect(contentOf(list, { op: 'append_to_section', heading: 'A', text: '- two' })).toBe(
      '# A\n- one\n- two\n\n# B\ntext',
    );
    expect(contentOf(list, { op: 'append_to_section', heading: 'B', text: 'more' })).toBe(
      '# A\n- one\n\n# B\ntext\n\nmore',
    );
    expect(contentOf(list, { op: 'prepend_to_section', heading: 'A', text: '- zero' })).toBe(
      '# A\n- zero\n- one\n\n# B\ntext',
    );
    const replaced = 'A\n===\nx\nB\n===\n'.replace('x\n', 'x\n\n');
    expect(contentOf(replaced, { op: 'replace_section', heading: 'A', text: 'y' })).toBe(
      'A\n===\ny\n\nB\n===\n',
    );
  });

  it('text on lines of its own gets a line break where there is none', () => {
    const append = (content: string) =>
      contentOf(content, { op: 'append', text: '- b', onOwnLines: true });
    expect([append('- a'), append('- a\n'), append('')]).toEqual(['- a\n- b', '- a\n- b', '- b']);
    const prepend = (content: string) =>
      contentOf(content, { op: 'prepend', text: '- b', onOwnLines: true });
    expect([prepend('- a'), prepend('')]).toEqual(['- b\n- a', '- b']);
  });

  it('costs what the edits touch when they are applied, not what the request has', () => {
    const inlineMax = 1024 * 1024;
    const doubled = Array.from({ length: 19 }, (_, index) => {
      return { op: 'replace', find: 'a', with: 'aa', count: 2 ** index } as const;
    });
    const swaps = ['a', 'b', 'a'].map((find) => {
      return { op: 'replace', find, with: find === 'a' ? 'b' : 'a', count: 2 ** 19 } as const;
    });
    expect(applyWithin(inlineMax, 'a', [...doubled, ...swaps])).toBe(tooCostly);
    expect(applyWithin(inlineMax, 'a', doubled.slice(0, 10))).toEqual({
      content: 'a'.repeat(1024),
    });
    const outline = { op: 'append_to_section', heading: 'A', text: 'x' } as const;
    expect(applyWithin(inlineMax, `# A\n${'x\n'.repeat(50_000)}`, [outline])).toBe(tooCostly);
    expect(applyWithin(inlineMax, '# A\n', [outline])).toEqual({ content: '# A\nx\n' });
  });

  it('names of headings may contain slashes and marks, and lines may end in CR LF', () => {
    expect(
      contentOf('# In/Out\r\n- x\r\n', { op: 'insert_after', heading: 'In/Out', text: '- y' }),
    ).toBe('# In/Out\r\n- y\n- x\r\n');
    expect(contentOf('# A *b* #\n', { op: 'insert_after', heading: 'A *b*', text: 'y' })).toBe(
      '# A *b* #\ny\n',
    );
  });

  it('headings in code, quotations, lists and comments do not count', () => {
    const content = '~~~\n# a\n~~~\n> # b\n\n- # c\n\n<!--\n# d\n-->\n\n    # e\n\n#f\n\n# g\n';
    expect(markdownOutline(content).map(({ text, line }) => [text, line])).toEqual([['g', 16]]);
  });

  it('a text beyond 512 KiB fails before it is built', () => {
    expect(
      contentOf('a'.repeat(500_000), {
        op: 'replace',
        find: 'a',
        with: 'b'.repeat(500_000),
        count: 500_000,
      }),
    ).toBe('body_too_large');
    expect(contentOf('é'.repeat(262_144), { op: 'append', text: 'a' })).toBe('body_too_large');
  });
});

describe('findOccurrences', () => {
  it('finds the same positions with either search', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, fc.array(text), (part, parts) => {
        const whole = parts.join('');
        const padding = 'c'.repeat(1_000_001);
        expect(findOccurrences(`${whole}${padding}`, part)).toEqual(findOccurrences(whole, part));
      }),
      { numRuns: 30 },
    );
  });
});

describe('applyMergePatch', () => {
  it('follows the examples of RFC 7396, and keeps a key __proto__', () => {
    const patched = (target: string, patch: string) =>
      JSON.stringify(
        applyMergePatch(JSON.parse(target), JSON.parse(patch) as Record<string, unknown>),
      );
    expect(patched('{"a":"b"}', '{"a":"c"}')).toBe('{"a":"c"}');
    expect(patched('{"a":"b","b":"c"}', '{"a":null}')).toBe('{"b":"c"}');
    expect(patched('{"a":["b"]}', '{"a":"c"}')).toBe('{"a":"c"}');
    expect(patched('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}')).toBe('{"a":{"b":"d"}}');
    expect(patched('{"a":[{"b":"c"}]}', '{"a":[1]}')).toBe('{"a":[1]}');
    expect(patched('{"e":null}', '{"a":1}')).toBe('{"e":null,"a":1}');
    expect(patched('{}', '{"a":{"bb":{"ccc":null}}}')).toBe('{"a":{"bb":{}}}');
    expect(patched('{"__proto__":{"x":1}}', '{"__proto__":{"y":2}}')).toBe(
      '{"__proto__":{"x":1,"y":2}}',
    );
  });

  it('a patch applied twice changes nothing more', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });
});

it('a heading as long as a request is compared with thousands of headings in linear time', () => {
  const heading = `${' '.repeat(1_900_000)}x`;
  const edit = { op: 'append_to_section', heading, text: 'y' } as const;
  expect(contentOf('# a\n'.repeat(4_096), edit)).toBe('edit_not_applicable');
});
