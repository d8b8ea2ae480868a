import { markdown } from '@codemirror/lang-markdown';
import { describe, expect, it } from '@jest/globals';
import { boundParagraphs } from './bound-paragraphs.ts';

const { parser } = markdown({ extensions: boundParagraphs }).language;

/** The paragraphs of a text, as the editor highlights them. */
const paragraphsOf = (text: string): readonly string[] => {
  const found: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (name === 'Paragraph') {
        found.push(text.slice(from, to));
      }
    },
  });
  return found;
};

const log = Array.from({ length: 5_000 }, (_, index) => `${index} a line of a log\n`).join('');

describe('a paragraph in the editor', () => {
  it('is whole if it is short', () => {
    const text = 'Some words.\n'.repeat(50);
    expect(paragraphsOf(text)).toEqual([text.trimEnd()]);
  });

  it('of 100 KB has parts of at most 10,000 characters and a line', () => {
    const parts = paragraphsOf(log);
    expect(parts.length).toBeGreaterThan(10);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(10_100);
    expect(parts.join('\n')).toBe(log.trimEnd());
  });

  it('keeps its parts below a new line, so that they are not parsed again', () => {
    const before = paragraphsOf(log);
    const after = new Set(paragraphsOf(`A new line\n${log}`));
    expect(before.filter((part) => !after.has(part)).length).toBeLessThan(3);
  });

  it('of equal lines is cut too', () => {
    const parts = paragraphsOf('the same line\n'.repeat(10_000));
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(10_100);
  });
});
