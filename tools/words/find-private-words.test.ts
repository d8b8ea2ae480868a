import { describe, expect, it } from '@jest/globals';
import { findPrivateWords } from './find-private-words.ts';

const wordsIn = (text: string, file = 'a.ts'): string[] =>
  findPrivateWords(file, text).map(({ word }) => word);

describe('the guard against private words', () => {
  it.each([
    ['a comment', '// whoever asks again', ['whoever', 'ask']],
    ['a camelCase name', 'const takeAnswer = askAgain();', ['answer', 'ask']],
    ['a hyphen', 'the look-ups of a key', ['look-up']],
    ['a phrase', 'is handed on in parts', ['hand on', 'in parts']],
  ])('finds words in %s', (_where, text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('finds words in the name of a file', () => {
    expect(findPrivateWords('src/keep-house.ts', '')).toEqual([
      { file: 'src/keep-house.ts', line: 0, word: 'keep house' },
    ]);
  });

  it.each(['task', 'install', 'return value', 'a turn into JSON', 'look up a key', 'shear'])(
    'leaves "%s" alone',
    (text) => {
      expect(wordsIn(text)).toEqual([]);
    },
  );

  it('leaves old releases, superseded decisions and the list of the words alone', () => {
    expect(wordsIn('\n## Unreleased\n\n## 1.0.0\nan answer', 'CHANGELOG.md')).toEqual([]);
    expect(wordsIn('# 1\n\nStatus: superseded by 2\nan answer', 'docs/adr/1.md')).toEqual([]);
    expect(wordsIn('| response | answer |', 'docs/house-style.md')).toEqual([]);
  });

  it('reports new entries of the changelog with their line', () => {
    expect(findPrivateWords('CHANGELOG.md', '# Log\n## Unreleased\nan answer\n')).toEqual([
      { file: 'CHANGELOG.md', line: 3, word: 'answer' },
    ]);
  });
});
