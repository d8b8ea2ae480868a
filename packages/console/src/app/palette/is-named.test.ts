import { expect, it } from '@jest/globals';
import { hasWord, isNamed } from './is-named.ts';

const signOut = { label: 'Sign out', otherWords: 'log out' };

it.each([
  ['sign', true],
  ['Sign-out', true],
  ['ou', true],
  ['log out', true],
  ['ign', false],
  ['sign in', false],
  ['–', false],
] as const)('a word of an action begins with %s: %s', (text, expected) => {
  expect(hasWord(signOut, text)).toBe(expected);
});

it('a name contains what stands within a word', () => {
  expect([isNamed(signOut, 'IGN'), isNamed(signOut, 'in')]).toEqual([true, false]);
});
