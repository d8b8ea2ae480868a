import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeSteps, mergeText } from './merge-text.ts';
import { splitBlocks } from './split-blocks.ts';

/** Texts of few different lines, so that they repeat and merges are hard. */
const line = fc.constantFrom('', '', 'a', 'b', 'c', 'd', '  ', '# e', '- f');
const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));

/** A descendant of a text: some lines deleted, some inserted with words found nowhere else. */
const edited = (base: string, side: string) =>
  fc
    .array(fc.constantFrom('keep', 'keep', 'keep', 'drop', 'insert'), {
      minLength: 15,
      maxLength: 15,
    })
    .map((edits) =>
      base
        .split('\n')
        .flatMap((entry, index) => {
          const edit = edits[index] ?? 'keep';
          const unique = `${side}${index}`;
          return edit === 'drop' ? [] : edit === 'insert' ? [unique, entry] : [entry];
        })
        .join('\n'),
    );
const family = text.chain((base) =>
  fc.record({
    base: fc.constant(base),
    ours: edited(base, 'ours'),
    theirs: edited(base, 'theirs'),
  }),
);

describe('mergeText', () => {
  it('a side that changed nothing loses nothing: the other one is the result', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(mergeText(base, base, other)).toBe(other);
        expect(mergeText(base, other, base)).toBe(other);
        expect(mergeText(base, other, other)).toBe(other);
      }),
    );
  });

  it('is clean from both sides or from none, with the same result', () => {
    fc.assert(
      fc.property(family, ({ base, ours, theirs }) => {
        expect(mergeText(base, ours, theirs)).toBe(mergeText(base, theirs, ours));
      }),
      { numRuns: 500 },
    );
  });

  it('no line that either side wrote is missing from a clean merge', () => {
    fc.assert(
      fc.property(family, ({ base, ours, theirs }) => {
        const merged = mergeText(base, ours, theirs);
        const lines = new Set(merged?.split('\n'));
        const written = [...ours.split('\n'), ...theirs.split('\n')].filter((entry) =>
          /^(ours|theirs)/.test(entry),
        );
        expect(merged === null || written.every((entry) => lines.has(entry))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('merges edits of different paragraphs, and appended lines with edits above', () => {
    const base = '# Title\n\nFirst.\n\nSecond.\n\nThird.\n';
    const ours = base.replace('First.', 'First, changed.');
    const theirs = `${base.replace('Third.', 'Third, changed.')}Fourth.\n`;
    expect(mergeText(base, ours, theirs)).toBe(
      '# Title\n\nFirst, changed.\n\nSecond.\n\nThird, changed.\nFourth.\n',
    );
  });

  it('refuses different edits of one line, also when both only inserted there', () => {
    expect(mergeText('a\nb\nc', 'a\nX\nc', 'a\nY\nc')).toBeNull();
    expect(mergeText('a\nc', 'a\nX\nc', 'a\nY\nc')).toBeNull();
  });
});

describe('the bound on the work', () => {
  const lines = (count: number, lineAt: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => lineAt(index)).join('\n');
  const numbered = (content: string, known: Map<string, number>) =>
    splitBlocks(content).map((block) => {
      known.set(block, known.get(block) ?? known.size);
      return known.get(block) ?? 0;
    });
  const steps = (base: string, ours: string, theirs: string) => {
    const known = new Map<string, number>();
    return mergeSteps(numbered(base, known), numbered(ours, known), numbered(theirs, known));
  };

  it('2,000 identical lines edited at both ends are not even tried', () => {
    const base = lines(2_000, () => 'same');
    expect(steps(base, `x\n${base}\ny`, `z\n${base}\nw`)).toBe(Infinity);
    expect(mergeText(base, `x\n${base}\ny`, `z\n${base}\nw`)).toBeNull();
  });

  it('blank lines between 2,000 paragraphs cost nothing: each is glued to its paragraph', () => {
    const base = lines(4_000, (index) => (index % 2 === 0 ? `paragraph ${index}` : ''));
    const ours = base.replace('paragraph 0', 'first');
    const theirs = base.replace('paragraph 3998', 'last');
    expect(steps(base, ours, theirs)).toBeLessThan(10_000_000);
    expect(mergeText(base, ours, theirs)).toBe(ours.replace('paragraph 3998', 'last'));
  });

  it('many different lines edited at both ends are refused beyond 25 million steps', () => {
    const base = lines(20_000, (index) => `line ${index}`);
    expect(mergeText(base, `x\n${base}\ny`, `${base}\nz`)).toBeNull();
  });

  it('a small edit of a long text is cheap: common ends are trimmed first', () => {
    const base = lines(20_000, (index) => `line ${index}`);
    const ours = base.replace('line 10000\n', 'ours\n');
    const theirs = base.replace('line 10002\n', 'theirs\n');
    expect(mergeText(base, ours, theirs)).toBe(ours.replace('line 10002\n', 'theirs\n'));
  });
});

describe('splitBlocks', () => {
  it('loses nothing: joined with line feeds the blocks are the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 20 }), (entries) => {
        const content = entries.join('\n');
        expect(splitBlocks(content).join('\n')).toBe(content);
      }),
    );
  });
});
