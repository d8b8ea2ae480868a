import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { carryChoices, conflictParts, textOfChoices, type ChangeChoice } from './conflict-parts.ts';

const current = 'title\nboil at 90\nwait\npour\n';
const other = 'title\nboil at 80\nwait\npour slowly\nserve';

const textOf = (...choices: ChangeChoice[]): string =>
  textOfChoices(conflictParts(current, other) ?? [], choices);

describe('a conflict', () => {
  it('has the changes in which its versions differ, between what they share', () => {
    expect(conflictParts(current, other)).toEqual([
      { kind: 'same', text: 'title\n' },
      { kind: 'change', current: 'boil at 90\n', other: 'boil at 80\n' },
      { kind: 'same', text: 'wait\n' },
      { kind: 'change', current: 'pour\n', other: 'pour slowly\nserve' },
    ]);
  });

  it('is settled change by change', () => {
    expect(textOf('other', 'current')).toBe('title\nboil at 80\nwait\npour\n');
    expect(textOf('both', 'other')).toBe('title\nboil at 90\nboil at 80\nwait\npour slowly\nserve');
    // Without a choice no line is lost.
    expect(textOf()).toBe('title\nboil at 90\nboil at 80\nwait\npour\npour slowly\nserve');
  });

  it('keeps the choices of changes that are the same in newer versions, unless some of several alike have gone', () => {
    const carried = (newer: string) =>
      carryChoices(
        conflictParts(current, other) ?? [],
        ['other', 'both'],
        conflictParts(newer, other) ?? [],
      );
    expect(carried(current)).toEqual(['other', 'both']);
    expect(carried('title\nboil at 70\nwait\npour\n')).toEqual([undefined, 'both']);
    expect(carried('heading\nboil at 80\nwait\npour\n')).toEqual([undefined, 'both']);
    const twice = conflictParts('a\n1\nb\n1\nc\n', 'a\n2\nb\n2\nc\n') ?? [];
    const once = conflictParts('a\n2\nb\n1\nc\n', 'a\n2\nb\n2\nc\n') ?? [];
    expect(carryChoices(twice, ['current', 'other'], twice)).toEqual(['current', 'other']);
    expect(carryChoices(twice, ['current', 'other'], once)).toEqual([undefined]);
  });

  it('gives either version back if all of it is chosen, whatever the texts are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', 'c d')).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (one, two) => {
        const parts = conflictParts(one, two) ?? [];
        expect(
          textOfChoices(
            parts,
            parts.map(() => 'current' as const),
          ),
        ).toBe(one);
        expect(
          textOfChoices(
            parts,
            parts.map(() => 'other' as const),
          ),
        ).toBe(two);
      }),
    );
  });
});
