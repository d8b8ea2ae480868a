import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TextEdit } from '@commonplace/contracts/notes';
import { applyTextEdits } from './apply-text-edits.ts';
import { findOccurrences } from './find-occurrences.ts';
import { markdownOutline } from './markdown-outline.ts';
import { applyMergePatch } from './merge-patch.ts';

const apply = (content: string, ...edits: TextEdit[]) =>
  applyTextEdits(
    content,
    edits.map((edit, index) => ({ edit, index })),
    markdownOutline,
  );
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
        expect(
          inserted
            .split('\n')
            .filter((each) => each !== 'NEW')
            .join('\n')
            .trimEnd(),
        ).toBe(content.trimEnd());
        const before = contentOf(content, { op: 'insert_before', heading: name, text: 'NEW' });
        expect(before.replace('NEW\n', '')).toBe(content);
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

  it('names of headings may contain slashes and marks, and lines may end in CR LF', () => {
    expect(
      contentOf('# In/Out\r\nx\r\n', { op: 'insert_after', heading: 'In/Out', text: 'y' }),
    ).toBe('# In/Out\r\ny\nx\r\n');
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
