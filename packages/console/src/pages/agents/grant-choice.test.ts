import { describe, expect, it } from '@jest/globals';
import { choiceOf, describeGrants, grantsOf } from './grant-choice.ts';

const grant = (
  folder: string,
  scope: 'read' | 'append' | 'any',
  mode: 'propose' | 'direct' = 'direct',
) => ({ folder, scope, mode }) as const;

describe('a choice of folders', () => {
  it.each([
    [null, 'all notes'],
    [[], 'no notes'],
    [[grant('a', 'any')], 'a'],
    [
      [grant('a', 'any'), grant('/', 'any'), grant('b', 'read')],
      'a, notes without a folder, b (read only)',
    ],
    [[grant('b', 'append'), grant('c', 'read')], 'b (read and add), c (read only)'],
    [[grant('a', 'any'), grant('b', 'any', 'propose')], 'a, b (read and propose)'],
    [[grant('', 'any', 'propose')], 'all notes (read and propose)'],
    [[grant('a', 'any'), grant('b', 'append', 'propose')], 'a, b (read, and propose to add)'],
    [[grant('a', 'any'), grant('', 'append')], 'a, all notes (read and add)'],
    [[grant('a', 'any'), grant('', 'read')], 'a, all notes (read only)'],
  ])('shows %j and gives it back', (grants, words) => {
    expect(grantsOf(choiceOf(grants))).toEqual(grants);
    expect(describeGrants(grants)).toBe(words);
  });
});
