import { describe, expect, it } from '@jest/globals';
import { isCorrectable, mostSimilar } from './similar-words.ts';

describe('mostSimilar', () => {
  it.each([
    ['ketle', ['kettle', 'kettles', 'nettle'], ['kettle']],
    ['kettel', ['kettle', 'kettel'], ['kettel']],
    ['recieve', ['receive', 'relieve'], ['receive', 'relieve']],
    ['certifiactes', ['certificates', 'certificate'], ['certificates']],
    ['abcd', ['wxyz', ''], []],
  ])('of %s among %j are %j', (word, candidates, similar) => {
    expect(mostSimilar(word, candidates)).toEqual(similar);
  });
});

describe('isCorrectable', () => {
  it('is a word of four letters or more without digits', () => {
    expect(['zat', 'word', 'a1b2c3', 'x'.repeat(33)].map(isCorrectable)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});
