import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diffLines } from './diff-lines.ts';
import { withChangedWords } from './diff-words.ts';

const linesOf = (before: string, after: string) =>
  withChangedWords(diffLines(before, after, { maxEditLength: 1_000 }) ?? []);

const textOf = (parts: ReturnType<typeof linesOf>, without: '+' | '-'): string[] =>
  parts
    .filter(({ sign }) => sign !== without)
    .flatMap(({ lines }) => lines.map((line) => line.map(({ text }) => text).join('')));

describe('withChangedWords', () => {
  it('marks the words that differ, and nothing else', () => {
    const [removed, added] = linesOf(
      'water boils at 100 degrees\n',
      'water freezes at 0 degrees\n',
    );
    const changed = (part: typeof removed) =>
      part?.lines[0]?.filter(({ isChanged }) => isChanged).map(({ text }) => text);
    expect([changed(removed), changed(added)]).toEqual([
      ['boils', '100'],
      ['freezes', '0'],
    ]);
  });

  it('marks nothing in lines that replace no others', () => {
    const parts = linesOf('a\n', 'a\nb c\n');
    expect(parts.flatMap(({ lines }) => lines.flat()).some(({ isChanged }) => isChanged)).toBe(
      false,
    );
  });

  it('keeps every line of both texts', () => {
    const line = fc.constantFrom('', 'a', 'a b', 'b c', 'c');
    const text = fc
      .array(line, { maxLength: 8 })
      .map((lines) => lines.map((each) => `${each}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = linesOf(before, after);
        expect(
          textOf(parts, '+')
            .map((each) => `${each}\n`)
            .join(''),
        ).toBe(before);
        expect(
          textOf(parts, '-')
            .map((each) => `${each}\n`)
            .join(''),
        ).toBe(after);
      }),
    );
  });
});
