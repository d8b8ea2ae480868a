import { describe, expect, it } from '@jest/globals';
import {
  choiceOf,
  describeGrants,
  grantsOf,
  reachesFolder,
  readingChoiceOf,
  withPreset,
} from './grant-choice.ts';

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
    [
      [grant('', 'any', 'propose'), grant('', 'append')],
      'all notes (read and propose), all notes (read and add)',
    ],
    [
      [grant('', 'append'), grant('', 'any', 'propose')],
      'all notes (read and add), all notes (read and propose)',
    ],
  ])('shows %j and gives it back', (grants, words) => {
    expect(grantsOf(choiceOf(grants))).toEqual(grants);
    expect(describeGrants(grants)).toBe(words);
  });
});

describe('a choice with further grants of all notes', () => {
  const choice = choiceOf([grant('', 'any', 'propose'), grant('', 'append'), grant('a', 'any')]);

  it('keeps them while the preset stays', () => {
    expect(grantsOf({ ...choice, write: ['b'] })).toEqual([
      grant('b', 'any'),
      grant('', 'any', 'propose'),
      grant('', 'append'),
    ]);
  });

  it('drops them with the preset', () => {
    expect(grantsOf(withPreset(choice, 'folders'))).toEqual([grant('a', 'any')]);
  });

  it('shows one that is all notes as such, and gives it back', () => {
    const whole = choiceOf([grant('', 'read'), grant('', 'any')]);
    expect(whole.preset).toBe('all');
    expect(grantsOf(whole)).toEqual([grant('', 'any')]);
    expect(grantsOf(withPreset(withPreset(whole, 'folders'), 'all'))).toBeNull();
  });
});

describe('a choice of folders to read', () => {
  it.each([
    [null, null],
    [[grant('', 'read')], null],
    [[], []],
    [
      [grant('a', 'any'), grant('b', 'read')],
      [grant('a', 'read'), grant('b', 'read')],
    ],
  ])('makes of %j %j', (grants, expected) => {
    expect(grantsOf(readingChoiceOf(grants))).toEqual(expected);
  });
});

describe('grants', () => {
  it.each([
    ['a', true],
    ['a/b', true],
    ['ab', false],
    ['/', true],
    ['c', false],
  ])('of a folder and of notes without one reach %s: %s', (folder, expected) => {
    expect(reachesFolder([grant('a', 'read'), grant('/', 'any')], folder)).toBe(expected);
  });
});
