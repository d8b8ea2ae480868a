import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { combineTexts } from './combine-texts.ts';
import { mergeText } from './merge-text.ts';

const base = 'head\none\ntwo\nthree\ntail\n';

describe('two texts that overlap', () => {
  it('keep what does not, in each of the three ways out', () => {
    const ours = 'head, by us\none\ntwo of us\nthree\ntail\n';
    const theirs = 'head\none\ntwo of them\nthree\ntail, by them\n';
    expect(combineTexts({ base, ours, theirs })).toEqual({
      overlaps: [{ base: 'two', ours: 'two of us', theirs: 'two of them' }],
      ours: 'head, by us\none\ntwo of us\nthree\ntail, by them\n',
      theirs: 'head, by us\none\ntwo of them\nthree\ntail, by them\n',
      both: 'head, by us\none\ntwo of us\ntwo of them\nthree\ntail, by them\n',
    });
  });

  it('name a line that one side removed as empty', () => {
    const ours = 'head\none\nthree\ntail\n';
    const theirs = 'head\none\ntwo of them\nthree\ntail\n';
    const combined = combineTexts({ base, ours, theirs });
    expect(combined?.overlaps).toEqual([{ base: 'two', ours: '', theirs: 'two of them' }]);
    expect(combined?.ours).toBe(ours);
    expect(combined?.theirs).toBe(theirs);
  });
});

describe('two texts that do not overlap', () => {
  it('are the same in all three ways', () => {
    const ours = `first\n${base}`;
    const theirs = `${base}last\n`;
    const whole = `first\n${base}last\n`;
    expect(combineTexts({ base, ours, theirs })).toEqual({
      overlaps: [],
      ours: whole,
      theirs: whole,
      both: whole,
    });
  });
});

describe('lines that both sides appended', () => {
  it('are no overlap beside a true one, and stay whichever side is chosen there', () => {
    const ours = `${base.replace('one', 'one of us')}more of us\n`;
    const theirs = `${base.replace('one', 'one of them')}more of them\n`;
    const combined = combineTexts({ base, ours, theirs });
    expect(combined?.overlaps).toEqual([{ base: 'one', ours: 'one of us', theirs: 'one of them' }]);
    const rest = 'two\nthree\ntail\nmore of us\nmore of them\n';
    expect(combined?.ours).toBe(`head\none of us\n${rest}`);
    expect(combined?.theirs).toBe(`head\none of them\n${rest}`);
    expect(combined?.both).toBe(`head\none of us\none of them\n${rest}`);
  });

  it('are no overlap where one continues the last line and the other adds lines', () => {
    const [ours, theirs] = ['one\ntwo', 'one three'];
    const merged = mergeText('one', ours, theirs);
    expect(merged).not.toBeNull();
    expect(combineTexts({ base: 'one', ours, theirs })).toEqual({
      overlaps: [],
      ours: merged,
      theirs: merged,
      both: merged,
    });
  });
});

type Edit = 'keep' | 'drop' | 'insert' | 'change';

const edits = fc.array(fc.constantFrom<Edit>('keep', 'keep', 'keep', 'drop', 'insert', 'change'), {
  minLength: 12,
  maxLength: 12,
});

/** A descendant: what one side writes is found nowhere else. */
const descendant = (lines: readonly string[], side: string) =>
  fc
    .record({
      edits,
      appended: fc.integer({ min: 0, max: 2 }),
      isEnded: fc.boolean(),
    })
    .map(({ edits: chosen, appended, isEnded }) => {
      const edited = lines.flatMap((line, index) => {
        const own = `${side} ${index}`;
        return { keep: [line], drop: [], insert: [own, line], change: [own] }[
          chosen[index] ?? 'keep'
        ];
      });
      const more = Array.from({ length: appended }, (_, index) => `${side} appended ${index}`);
      return [...edited, ...more].join('\n') + (isEnded ? '\n' : '');
    });

const familyOf = (line: (index: number) => fc.Arbitrary<string>) =>
  fc
    .integer({ min: 1, max: 10 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => line(index))))
    .chain((lines) =>
      fc.record({
        base: fc.boolean().map((isEnded) => lines.join('\n') + (isEnded ? '\n' : '')),
        ours: descendant(lines, 'ours'),
        theirs: descendant(lines, 'theirs'),
      }),
    );

/** Lines that repeat, and blank ones. */
const anyFamily = familyOf(() => fc.constantFrom('', '  ', 'a', 'b', 'c', '# d'));
/** Every line once, so that there is one way to align the texts. */
const plainFamily = familyOf((index) => fc.constant(`line ${index}`));

const linesOf = (text: string): readonly string[] => text.split('\n');

describe('any two descendants', () => {
  it('overlap only where they cannot be merged, and are else the merge', () => {
    fc.assert(
      fc.property(anyFamily, (texts) => {
        const merged = mergeText(texts.base, texts.ours, texts.theirs);
        const combined = combineTexts(texts);
        expect(combined?.overlaps.length === 0).toBe(merged !== null);
        const results = [combined?.ours, combined?.theirs, combined?.both];
        expect(merged === null || results.every((result) => result === merged)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('combine with CRLF as with line feeds', () => {
    const toCrlf = (text: string) => text.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(anyFamily, (family) => {
        const [before, ours, theirs] = [family.base, family.ours, family.theirs].map(
          (text) => `head\n${text}`,
        ) as [string, string, string];
        const combined = combineTexts({ base: before, ours, theirs });
        expect(
          combineTexts({ base: toCrlf(before), ours: toCrlf(ours), theirs: toCrlf(theirs) }),
        ).toEqual(JSON.parse(JSON.stringify(combined).replaceAll('\\n', '\\r\\n')));
      }),
      { numRuns: 500 },
    );
  });

  it('keep what each side wrote outside the overlaps whichever side is chosen', () => {
    fc.assert(
      fc.property(anyFamily, (texts) => {
        const combined = combineTexts(texts);
        const written = (side: 'ours' | 'theirs') =>
          linesOf(texts[side]).filter((line) => line.startsWith(side));
        const overlapping = (side: 'ours' | 'theirs') =>
          new Set(combined?.overlaps.flatMap((overlap) => linesOf(overlap[side])));
        for (const [chosen, other] of [
          ['ours', 'theirs'],
          ['theirs', 'ours'],
        ] as const) {
          const result = linesOf(combined?.[chosen] ?? '');
          const dropped = overlapping(other);
          const kept = written(other).filter((line) => !dropped.has(line));
          expect(result).toEqual(expect.arrayContaining([...written(chosen), ...kept]));
        }
        expect(linesOf(combined?.both ?? '')).toEqual(
          expect.arrayContaining([...written('ours'), ...written('theirs')]),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('have below an overlap what a merge of the rest has', () => {
    fc.assert(
      fc.property(plainFamily, ({ base: rest, ours, theirs }) => {
        const [start, between] = ['head', 'between\n'];
        const merged = mergeText(between + rest, between + ours, between + theirs);
        fc.pre(merged !== null);
        const combined = combineTexts({
          base: `${start}\n${between}${rest}`,
          ours: `${start} of us\n${between}${ours}`,
          theirs: `${start} of them\n${between}${theirs}`,
        });
        expect(combined?.overlaps).toEqual([
          { base: start, ours: `${start} of us`, theirs: `${start} of them` },
        ]);
        expect(combined?.ours).toBe(`${start} of us\n${merged}`);
        expect(combined?.theirs).toBe(`${start} of them\n${merged}`);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a comparison that would take too long', () => {
  it('is none', () => {
    const same = 'x\n'.repeat(2_000);
    expect(combineTexts({ base: same, ours: `${same}a`, theirs: `b\n${same}` })).toBeNull();
  });
});
