import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { takeOut } from './take-out.ts';
import { tooCostly } from './merge-text.ts';

const steps = 1_000_000;
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
type Versions = readonly [before: string, written: string, now: string];
const take = (before: string, written: string, ...later: string[]) => {
  const versions = [before, written, ...later];
  const taken = takeOut({ versions, ranges: [{ first: 1, last: 1 }] }, steps);
  if (taken === tooCostly) {
    throw new Error('The texts are small');
  }
  return taken;
};

describe('takeOut', () => {
  it('without later changes the text is as it was, whatever ends its lines', () => {
    const parts = fc.constantFrom('a', 'b', '\n', '\r\n', '\r');
    const text = fc.oneof(
      fc.string(),
      fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, text, (before, written) => {
        expect(take(before, written, written)).toEqual({ text: before, left: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('leaves what others wrote as it ends, and appending to a text without a last line break edits no line', () => {
    const cases: readonly (readonly [versions: Versions, text: string])[] = [
      [['a', 'a\nS\n', 'a\nS\nx\n'], 'a\nx\n'],
      [['a\r\nb', 'a\r\nb\r\nS\r\n', 'a\r\nb\r\nS\r\nx\r\n'], 'a\r\nb\r\nx\r\n'],
      [['a\r\nb', 'a\r\nb\r\nS', 'a\r\nb\r\nS\r\nx'], 'a\r\nb\r\nx'],
      [['a\r\nb', 'a\r\nb\nS', 'a\r\nb\nS\r\nx'], 'a\r\nb\nx'],
      [['a\r\nb\r\n', 'a\nb\n', 'a\nb\nx\n'], 'a\r\nb\r\nx\n'],
      [['a\r\nb\r\n', 'a\nb\n', 'a\r\nb\n'], 'a\r\nb\r\n'],
      [['a\r', 'S\r\n', 'S\r\n'], 'a\r'],
    ];
    for (const [versions, text] of cases) {
      expect(take(...versions)).toEqual({ text, left: [] });
    }
  });

  it('takes added lines out, and keeps what others added behind, before and between them', () => {
    const before = lines('a');
    expect(take(before, lines('a', 'S'), lines('a', 'S', 'x')).text).toBe(lines('a', 'x'));
    expect(take('', 'S', 'S\nx').text).toBe('x');
    expect(take(before, lines('a', 'S', 'T'), lines('y', 'a', 'x', 'S', 'z', 'T'))).toEqual({
      text: lines('y', 'a', 'x', 'z'),
      left: [],
    });
  });

  it('brings removed lines back where they were, beside what others wrote there', () => {
    expect(take(lines('a', 'b', 'c'), lines('a', 'c'), lines('a', 'x', 'c')).text).toBe(
      lines('a', 'b', 'x', 'c'),
    );
    expect(take(lines('a', 'b'), '', lines('x')).text).toBe(lines('a', 'b', 'x'));
    expect(take(lines('a', 'b', 'c'), lines('a', 'c'), lines('a', 'b', 'c', 'd'))).toEqual({
      text: lines('a', 'b', 'c', 'd'),
      left: [],
    });
  });

  it('lines come back below an edited line that they stood below, and above one they stood above', () => {
    expect(take(lines('# A', 'b'), lines('# A'), lines('# A2')).text).toBe(lines('# A2', 'b'));
    expect(take(lines('# A', 'b'), lines('# A'), '', lines('# A2')).text).toBe(lines('# A2', 'b'));
    expect(take(lines('a', 'b', 'c'), lines('a', 'c'), lines('C!')).text).toBe(lines('C!', 'b'));
    expect(take(lines('a', 'b', 'c', 'd'), lines('a', 'b', 'd'), lines('a', 'b!', 'd!'))).toEqual({
      text: lines('a', 'b!', 'c', 'd!'),
      left: [],
    });
    expect(take(lines('a', 'b', 'c'), lines('a', 'c'), lines('c'), lines('c!')).text).toBe(
      lines('b', 'c!'),
    );
    expect(take(lines('a', 'b', 'c'), lines('b'), lines('b!', 'more')).text).toBe(
      lines('a', 'b!', 'more', 'c'),
    );
  });

  it('a line that another changed stays, and is listed; the lines around it are taken out', () => {
    expect(take(lines('a'), lines('a', 'S', 'T'), lines('a', 'S!', 'T'))).toEqual({
      text: lines('a', 'S!'),
      left: ['S'],
    });
    const [before, written] = [lines('a', 'b', 'c'), lines('A', 'B', 'C')];
    expect(take(before, written, lines('A', 'B!', 'C'))).toEqual({
      text: lines('a', 'B!', 'c'),
      left: ['B'],
    });
    expect(take(lines('a', 'b', 'c'), lines('S'), lines('S!'))).toEqual({
      text: lines('S!'),
      left: ['S'],
    });
  });

  it('a line that another removed and wrote again is theirs', () => {
    const written = lines('a', 'S');
    expect(take(lines('a'), written, lines('a'), written).text).toBe(written);
    expect(take(lines('a'), written, written, lines('b', 'a', 'S')).text).toBe(lines('b', 'a'));
  });

  it('a line that the change moved is not lost where its old place is gone', () => {
    const before = lines('m', 'a', 'b', 'c');
    const written = lines('S', 'T', 'a', 'b', 'c', 'm');
    expect(take(before, written, lines('S!', 'T', 'a', 'b', 'c', 'm')).text).toContain('m');
  });

  it('520,000 lines, more than fit into the stack, are listed and come back', () => {
    const many = '\n'.repeat(520_000);
    expect(take('a\n', `a\n${many}`, 'b\n')).toEqual({ text: 'b\n', left: [''] });
    const { text } = take(`a\n${many}b\n`, 'a\nb\n', 'a!\nb\n');
    expect(text === `a!\n${many}b\n`).toBe(true);
  });

  it('says when the comparison would cost too much', () => {
    const many = (last: string) => `${'same\n'.repeat(2_000)}${last}`;
    const versions = [`x\n${many('b')}`, `y\n${many('w')}`, `z\n${many('v')}`];
    expect(takeOut({ versions, ranges: [{ first: 1, last: 1 }] }, 1_000)).toBe(tooCostly);
  });
});

/** Who writes which of the next versions, and where. Every line is written once, and as many as are removed are edits of those. */
type Edit = {
  readonly isSource: boolean;
  readonly at: number;
  readonly drop: number;
  readonly add: number;
  /** Where the removed lines go; null means they are removed. */
  readonly moveTo: number | null;
};
const edit: fc.Arbitrary<Edit> = fc.record({
  isSource: fc.boolean(),
  at: fc.nat(12),
  drop: fc.nat(3),
  add: fc.nat(3),
  moveTo: fc.option(fc.nat(12)),
});

/** The versions: each line is named after its writer, and after the place that it has kept since it was inserted. */
const versionsOf = (start: number, edits: readonly Edit[]): string[][] => {
  const versions = [Array.from({ length: start }, (_, index) => `o${index}@${index}`)];
  edits.forEach(({ isSource, at, drop, add, moveTo }, number) => {
    const next = [...(versions.at(-1) ?? [])];
    const edited = next.slice(at, at + drop);
    const added = Array.from({ length: add }, (_, index) => {
      const place = edited.length === add ? placeOf(edited[index] ?? '') : `${number}.${index}`;
      return `${isSource ? 's' : 'o'}${number}.${index}@${place}`;
    });
    const removed = next.splice(Math.min(at, next.length), drop, ...added);
    next.splice(moveTo ?? 0, 0, ...(moveTo === null ? [] : removed));
    versions.push(next);
  });
  return versions;
};

const placeOf = (line: string) => line.split('@')[1] ?? '';

/** The text without what the source wrote. */
const takeSourceOut = (versions: readonly string[], edits: readonly Edit[]) => {
  const ranges = edits
    .flatMap(({ isSource }, index) => (isSource ? [{ first: index + 1, last: index + 1 }] : []))
    .toReversed();
  const taken = takeOut({ versions, ranges }, steps);
  if (taken === tooCostly) {
    throw new Error('The texts are small');
  }
  return taken;
};

/** The lines without what the source wrote. */
const takeLinesOut = (versions: readonly string[][], edits: readonly Edit[]) => {
  const { left, text } = takeSourceOut(
    versions.map((all) => lines(...all)),
    edits,
  );
  return { left, result: text.split('\n').filter((line) => line !== '') };
};

describe('a history of two writers', () => {
  it('loses no line of the other, and every line of the source is gone or listed', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.array(edit, { minLength: 1, maxLength: 8 }), (start, edits) => {
        const versions = versionsOf(start, edits);
        const { left, result } = takeLinesOut(versions, edits);
        const ofOthers = (all: readonly string[]) => all.filter((line) => line.startsWith('o'));
        const present = ofOthers(versions.at(-1) ?? []);
        const kept = new Set(ofOthers(result));
        expect(present.filter((line) => !kept.has(line))).toEqual([]);
        const ofSource = result.filter((line) => line.startsWith('s'));
        expect(ofSource.filter((line) => !left.includes(line))).toEqual([]);
        const isAlone = edits.every(({ isSource }) => isSource);
        const isNone = edits.every(({ isSource }) => !isSource);
        const whole = isNone ? versions.at(-1) : isAlone ? versions[0] : result;
        expect(result).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps lines, edited or not, in the order of every version, where nobody moves any', () => {
    const still = edit.map((given) => ({ ...given, moveTo: null }));
    fc.assert(
      fc.property(fc.nat(8), fc.array(still, { minLength: 1, maxLength: 8 }), (start, edits) => {
        const versions = versionsOf(start, edits);
        const places = takeLinesOut(versions, edits).result.map(placeOf);
        const common = (some: readonly string[], others: readonly string[]) =>
          some.filter((place) => others.includes(place));
        for (const version of versions.map((all) => all.map(placeOf))) {
          expect(common(places, version)).toEqual(common(version, places));
        }
      }),
      {
        numRuns: 1_000,
        examples: [
          [
            4,
            [
              { isSource: false, at: 0, drop: 0, add: 1, moveTo: null },
              { isSource: true, at: 2, drop: 1, add: 0, moveTo: null },
              { isSource: true, at: 3, drop: 1, add: 0, moveTo: null },
              { isSource: false, at: 1, drop: 2, add: 0, moveTo: null },
            ],
          ],
        ],
      },
    );
  });

  it('has the same lines with CRLF as with line feeds, with and without a last line break', () => {
    const ends = fc.array(fc.boolean(), { minLength: 9, maxLength: 9 });
    const history = fc.array(edit, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.nat(8), history, ends, (start, edits, isEnded) => {
        const texts = versionsOf(start, edits).map((all, index) =>
          isEnded[index] ? lines(...all) : all.join('\n'),
        );
        const toCrlf = (text: string) => text.replaceAll('\n', '\r\n');
        const { text, left } = takeSourceOut(texts, edits);
        expect(takeSourceOut(texts.map(toCrlf), edits)).toEqual({ text: toCrlf(text), left });
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the break behind each line that it has', () => {
    const withBreak = (line: string) => `${line}${/[02468]@/.test(line) ? '\r\n' : '\n'}`;
    fc.assert(
      fc.property(fc.nat(8), fc.array(edit, { minLength: 1, maxLength: 8 }), (start, edits) => {
        const versions = versionsOf(start, edits);
        const { result } = takeLinesOut(versions, edits);
        const texts = versions.map((all) => all.map(withBreak).join(''));
        expect(takeSourceOut(texts, edits).text).toBe(result.map(withBreak).join(''));
      }),
      { numRuns: 500 },
    );
  });
});
