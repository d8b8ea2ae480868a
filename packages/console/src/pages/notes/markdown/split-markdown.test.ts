import { describe, expect, it } from '@jest/globals';
import { splitMarkdown } from './split-markdown.ts';

const small = { charactersMin: 20, charactersMax: 60 };
const split = (text: string) => splitMarkdown(text, small).map((piece) => piece.text);

describe('a text in pieces', () => {
  it('is the same text, whatever it is', () => {
    const texts = [
      '',
      'one line',
      '# a\n\nfirst paragraph of the text\n\n## b\n\nsecond paragraph\n',
      '- one\n- two\n'.repeat(40),
      'word '.repeat(200),
      '```\n# no heading\n\ncode\n```\n\n# heading\n\nafter it\n'.repeat(5),
      '\n\n\n',
    ];
    for (const text of texts) {
      const pieces = splitMarkdown(text, small);
      expect(pieces.map((piece) => piece.text).join('\n')).toBe(text);
      const lines = text.split('\n');
      for (const { text: part, firstLine } of pieces) {
        expect(lines[firstLine]).toBe(part.split('\n')[0]);
      }
    }
  });

  it('begin at the lines that the parser counts, for which a carriage return alone ends one', () => {
    const text = '# a\r\n10%\r20%\r30% of it, and more\r\n# b\r\nlast';
    expect(splitMarkdown(text, small).map(({ firstLine }) => firstLine)).toEqual([0, 4]);
  });

  it('is cut at headings and after empty lines', () => {
    expect(
      split('# a\nfirst words of it, and more\n# b\nmore words of it, and more\n\nlast'),
    ).toEqual(['# a\nfirst words of it, and more', '# b\nmore words of it, and more\n', 'last']);
  });

  it('keeps code blocks whole, and items with what is indented below them', () => {
    const code = `\`\`\`sh\n${'# a comment in a script\n\n'.repeat(8)}\`\`\`\n`;
    expect(split(`${code}\nafter`)).toEqual([code, 'after']);
    const longer = `~~~~\n~~~\n\n# still code\n\n${'x'.repeat(60)}\n\n# still\n~~~~\n`;
    expect(split(`${longer}\n# after`)).toEqual([longer, '# after']);
    const item = '- an item of a list\n\n  with a paragraph\n\n- and another\n';
    expect(split(item)).toEqual([item]);
  });

  it('cuts a long list between items, and a long table nowhere', () => {
    expect(split('- an item of the list\n'.repeat(12)).length).toBeGreaterThan(2);
    const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(40)}`;
    expect(split(table)).toEqual([table]);
  });

  it('repeats what links refer to in every piece', () => {
    const pieces = split(
      `see [one][1] in this text\n\n# b\n\nmore words\n\n[1]: https://a.example\n`,
    );
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) {
      expect(piece).toMatch(/\[1\]: https:\/\/a\.example\n?$/);
    }
  });

  it('repeats no code and no words of paragraphs that look like what links refer to', () => {
    const noDefinitions = [
      '```ts\ntype Words = {\n  [key]: string;\n};\n```',
      '~~~\n```\n[key]: string\n~~~',
      '- ```ts\n  [key]: string\n  ```',
      'code:\n\n    [key]: string',
      'a paragraph that goes on with\n[key]: string',
    ];
    for (const part of noDefinitions) {
      const text = `# a\n\n${part}\n\n# b\n\nwords of another heading, of which it has more\n\n# c\n\nlast words`;
      const pieces = split(text);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.join('\n')).toBe(text);
    }
  });

  it('repeats what links refer to where it stands behind code, headings and the like', () => {
    const parts = [
      '```ts\n[key]: string\n```',
      '```code``` in a line\n',
      '# heading',
      '<!-- links -->',
      'heading\n---',
      '[other]: https://b.example\n  "with a title"',
      '\n    [key]: string',
    ];
    for (const part of parts) {
      const text = `${part}\n[1]: https://a.example\n\n# b\n\nwords of another heading, of which it has more\n\n# c\n\nlast words`;
      const pieces = split(text);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.at(-1)).toMatch(/\n\[1\]: https:\/\/a\.example$/);
      expect(pieces.at(-1)).not.toContain('[key]');
    }
  });

  it('closes a code block that nothing closes before it repeats what links refer to', () => {
    const text = `[1]: https://a.example\n\nsome words of the text\n\n# b\n\n- item\n\n  ~~~ts\n  code [1]`;
    expect(split(text).at(-1)).toBe(
      '# b\n\n- item\n\n  ~~~ts\n  code [1]\n  ~~~\n\n[1]: https://a.example',
    );
  });
});
