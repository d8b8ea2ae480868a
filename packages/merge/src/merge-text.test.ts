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

/** Without the line feed at the end, which the text has if the last addition has one. */
const sortedLines = (merged: string | null) => merged?.replace(/\n$/, '').split('\n').toSorted();

describe('mergeText', () => {
  it('if one side is unchanged, the other one is the result', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(mergeText(base, base, other)).toBe(other);
        expect(mergeText(base, other, base)).toBe(other);
        expect(mergeText(base, other, other)).toBe(other);
      }),
    );
  });

  it('is clean from both sides or from none, with the same lines', () => {
    fc.assert(
      fc.property(family, ({ base, ours, theirs }) => {
        expect(sortedLines(mergeText(base, ours, theirs))).toEqual(
          sortedLines(mergeText(base, theirs, ours)),
        );
      }),
      {
        numRuns: 500,
        examples: [
          [
            {
              base: 'c\n\n# e\n\nc\n',
              ours: 'c\nours1\n\n# e\n\n',
              theirs: 'c\ntheirs1\n\n\nc',
            },
          ],
        ],
      },
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

  it('lines that end with CRLF merge as those that end with line feeds', () => {
    const toCrlf = (content: string) => content.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(family, ({ base, ours, theirs }) => {
        const merged = mergeText(base, ours, theirs);
        expect(mergeText(toCrlf(base), toCrlf(ours), toCrlf(theirs))).toBe(
          merged === null ? null : toCrlf(merged),
        );
      }),
      { numRuns: 500, examples: [[{ base: 'a\nb', ours: 'A\nb', theirs: 'a\nb\nx\n' }]] },
    );
  });

  it('leaves line breaks whole where some are CRLF', () => {
    expect(mergeText('a\r\nb', 'a\r\nb\r\ny\r\n', 'a\r\nb\nx\n')).toBe('a\r\nb\r\ny\r\nx\n');
    expect(mergeText('a\n', 'a\nx', 'a\ny\r\n')).toBe('a\nx\ny\r\n');
    expect(mergeText('a\nb\nc', 'A\nb\nc', 'a\nb\nc\r')).toBe('A\nb\nc\r');
  });

  it('merges edits of different paragraphs, and appended lines with edits above', () => {
    const base = '# Title\n\nFirst.\n\nSecond.\n\nThird.\n';
    const ours = base.replace('First.', 'First, changed.');
    const theirs = `${base.replace('Third.', 'Third, changed.')}Fourth.\n`;
    expect(mergeText(base, ours, theirs)).toBe(
      '# Title\n\nFirst, changed.\n\nSecond.\n\nThird, changed.\nFourth.\n',
    );
  });

  it('rejects different edits of one line, also when both only inserted there', () => {
    expect(mergeText('a\nb\nc', 'a\nX\nc', 'a\nY\nc')).toBeNull();
    expect(mergeText('a\nc', 'a\nX\nc', 'a\nY\nc')).toBeNull();
  });
});

describe('both sides only added at the same end', () => {
  it.each([
    ['a list', '- a\n', ['- a\n- x\n', '- a\n- y\n'], '- a\n- x\n- y\n'],
    ['no line feed at the end', 'a', ['a\nx', 'a\ny'], 'a\nx\ny'],
    ['one of them ends its line', 'a\n', ['a\nx', 'a\ny\n'], 'a\nx\ny'],
    ['paragraphs', 'a\n\nb\n', ['a\n\nb\n\nx\n', 'a\n\nb\n\ny\n'], 'a\n\nb\n\nx\n\ny\n'],
    ['one new heading', 'a\n', ['a\n\n# h\n- x\n', 'a\n\n# h\n- y\n'], 'a\n\n# h\n- x\n- y\n'],
    ['rules between', 'a\n', ['a\n---\nx\n', 'a\n---\ny\n'], 'a\n---\nx\n---\ny\n'],
    ['at the start', 'a\nb', ['x\na\nb', 'y\na\nb'], 'x\ny\na\nb'],
    ['edits below', 'a\nb\nc', ['x\na\nb\nC', 'y\na\nb\nc'], 'x\ny\na\nb\nC'],
    ['the same line at different places', 'a\n', ['a\nx\ny', 'a\nz\ny'], 'a\nx\ny\nz\ny'],
    ['more of the last line, and a line', 'a', ['a b', 'a\nx\n'], 'a b\nx\n'],
    ['a line, and more of the last line', 'a', ['a\nx', 'a b'], 'a b\nx'],
    ['one ending of the last line', 'a', ['a b\nx', 'a b\ny'], 'a b\nx\ny'],
    ['again, below more of the last line', 'a', ['a b\nx', 'a\nx'], 'a b\nx'],
    ['behind blank lines', 'a\n\n\n', ['a\n\n\nx\n', 'a\n\n\ny\n'], 'a\n\n\nx\ny\n'],
  ] as const)('keeps both, the earlier one first: %s', (...[, base, [ours, theirs], merged]) => {
    expect(mergeText(base, ours, theirs)).toBe(merged);
  });

  it.each([
    ['the middle', ['a\nc', 'a\nx\nc', 'a\ny\nc']],
    ['the last line was edited too', ['a\nb', 'a\nB\nx', 'a\nb\ny']],
    ['an empty note', ['', 'x', 'y']],
    ['two endings of the last line', ['Budget: 10', 'Budget: 100', 'Budget: 1000']],
    ['the same line at different places at the start', ['a', 'x\ny\na', 'z\ny\na']],
  ] as const)(
    'refuses what is no addition at an end, or may be meant once: %s',
    (_case, [base, ours, theirs]) => {
      expect(mergeText(base, ours, theirs)).toBeNull();
    },
  );

  /** A base, and what several writers who all saw only that base appended to it, and prepended. */
  const word = (writer: string) => fc.nat(99).map((number) => `${writer}${number}`);
  const addition = (writer: string) => fc.uniqueArray(word(writer), { minLength: 1, maxLength: 4 });
  const log = fc.record({
    base: fc.uniqueArray(word('base'), { minLength: 1, maxLength: 6 }),
    isTerminated: fc.boolean(),
    additions: fc.tuple(addition('x'), addition('y'), addition('z')),
    at: fc.constantFrom('start', 'end'),
  });
  const textWith = (
    { base, isTerminated, at }: { base: string[]; isTerminated: boolean; at: string },
    added: readonly string[],
  ) => {
    const lines = at === 'end' ? [...base, ...added] : [...added, ...base];
    return `${lines.join('\n')}${isTerminated ? '\n' : ''}`;
  };

  it('keeps additions of independent writers in the order of arrival, no line twice', () => {
    fc.assert(
      fc.property(log, (given) => {
        const base = textWith(given, []);
        const now = given.additions.reduce<string | null>(
          (merged, added) => merged && mergeText(base, merged, textWith(given, added)),
          textWith(given, []),
        );
        expect(now).toBe(textWith(given, given.additions.flat()));
      }),
      { numRuns: 500 },
    );
  });

  it('an addition that is merged again, whole or grown meanwhile, is not there twice', () => {
    fc.assert(
      fc.property(log, addition('more'), (given, more) => {
        const base = textWith(given, []);
        const [first, second] = given.additions;
        const once = mergeText(base, textWith(given, first), textWith(given, second));
        expect(once && mergeText(base, once, textWith(given, first))).toBe(once);
        expect(once && mergeText(base, once, textWith(given, second))).toBe(once);
        const grown = given.at === 'end' ? [...first, ...more] : [...more, ...first];
        expect(mergeText(base, textWith(given, first), textWith(given, grown))).toBe(
          textWith(given, grown),
        );
      }),
      { numRuns: 500 },
    );
  });

  /** What a writer adds to the last line, if it has no line feed, and the lines below it. */
  const ending = (writer: string): fc.Arbitrary<string> =>
    fc.constantFrom('', '', ' and more', ` and ${writer}`);
  const continuation = (writer: string) =>
    fc.record({
      ending: ending(writer),
      added: fc.oneof(fc.constant([]), addition(writer)),
      isTerminated: fc.boolean(),
    });
  const continued = fc.record({
    base: fc.uniqueArray(word('base'), { minLength: 1, maxLength: 3 }),
    isTerminated: fc.boolean(),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    sides: fc.tuple(continuation('x'), continuation('y')),
  });
  type Continued = typeof continued extends fc.Arbitrary<infer Value> ? Value : never;
  type Side = Continued['sides'][number];
  const textOf = ({ base, isTerminated, lineBreak }: Continued, side: Side) => {
    const last = isTerminated ? '' : side.ending;
    const lines = [base.join(lineBreak) + last, ...side.added];
    return `${lines.join(lineBreak)}${side.isTerminated ? lineBreak : ''}`;
  };
  /** The merge that keeps every word in its line and all lines in order; null: two endings of one line. */
  const expected = (given: Continued, [first, second]: readonly [Side, Side]) => {
    const endings = new Set([first.ending, second.ending].filter((text) => text !== ''));
    if (!given.isTerminated && endings.size === 2) {
      return null;
    }
    const isKept = first.isTerminated === given.isTerminated;
    return textOf(given, {
      ending: [...endings].join(''),
      added: [...first.added, ...second.added],
      isTerminated: isKept ? second.isTerminated : first.isTerminated,
    });
  };

  it('keeps more of the last line in it, and the lines of both below, in either order of arrival', () => {
    fc.assert(
      fc.property(continued, (given) => {
        const { isTerminated, sides } = given;
        const base = textOf(given, { ending: '', added: [], isTerminated });
        const [mine, yours] = [textOf(given, sides[0]), textOf(given, sides[1])];
        expect(mergeText(base, mine, yours)).toBe(expected(given, sides));
        expect(mergeText(base, yours, mine)).toBe(expected(given, [sides[1], sides[0]]));
      }),
      { numRuns: 1_000 },
    );
  });

  it('no line of either side is lost, and none is duplicated beyond both sides', () => {
    const mixed = fc.record({
      base: text,
      ours: fc.array(fc.oneof(line, word('x')), { maxLength: 5 }),
      theirs: fc.array(fc.oneof(line, word('y'), word('x')), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(mixed, ({ base, ours, theirs }) => {
        const [mine, yours] = [[base, ...ours].join('\n'), [base, ...theirs].join('\n')];
        const merged = mergeText(base, mine, yours);
        const count = (content: string, wanted: string) =>
          content.split('\n').filter((entry) => entry === wanted).length;
        const added = [...ours, ...theirs].filter((entry) => /^[xy]/.test(entry));
        const miscounted = added.filter((entry) => {
          const [inMine, inYours] = [count(mine, entry), count(yours, entry)];
          const inMerged = count(merged ?? '', entry);
          return inMerged < Math.max(inMine, inYours) || inMerged > inMine + inYours;
        });
        expect(merged === null ? [] : miscounted).toEqual([]);
        expect(mergeText(base, mine, yours)).toBe(merged);
      }),
      { numRuns: 1_000 },
    );
  });

  it('additions that repeat one line 100,000 times take linear time', () => {
    const many = 'x\n'.repeat(100_000);
    expect(mergeText('a\n', `a\n${many}b\n`, `a\n${many}c\n`)).toBe(`a\n${many}b\nc\n`);
  });
});

describe('long insertions', () => {
  it('260,000 lines inserted into one place merge with an edit of another', () => {
    const many = 'l\n'.repeat(260_000);
    expect(mergeText('a\nb\nc', `a\n${many}b\nc`, 'a\nb\nC')).toBe(`a\n${many}b\nC`);
    expect(mergeText('a\nb\nc', `a\n${many}b\nc`, `a\n${many}b\nC`)).toBe(`a\n${many}b\nC`);
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

  it('blank lines between 2,000 paragraphs cost nothing: each belongs to its paragraph', () => {
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
  it('is lossless: joined with line feeds the blocks are the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 20 }), (entries) => {
        const content = entries.join('\n');
        expect(splitBlocks(content).join('\n')).toBe(content);
      }),
    );
  });
});
