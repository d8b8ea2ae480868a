import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tokenize, type Token } from './tokenize.ts';

const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  tokenize(text, (token) => {
    tokens.push(token);
  });
  return tokens;
};

describe('tokenize', () => {
  it.each([
    ['The kettle boils', 'the:0 kettle:1 boils:2'],
    ['file_name fileName', 'filename:0 file:0 name:1 filename:2 file:2 name:3'],
    ['HTTPServer2 sha256', 'httpserver2:0 http:0 server2:1 sha256:2'],
    ['l’eau Straße CAFÉ', 'leau:0 l:0 eau:1 strasse:2 cafe:3'],
    ['東京都 a', '東京:0 東 京都:1 京 都:2 a:3'],
    ['がぎ', 'がぎ:0 が ぎ:1'],
    ['การประชุม', 'การ:0 ประชุม:1'],
    ['отчётНовый', 'отчетновыи:0 отчет:0 новыи:1'],
    ['한국어 검색', '한국어:0 검색:1'],
    ['-- !! ""', ''],
  ])('%s has the terms %s', (text, terms) => {
    const written = tokensOf(text).map(({ term, position }) =>
      position === null ? term : `${term}:${position}`,
    );
    expect(written.join(' ')).toBe(terms);
  });

  it('places every token in the text, in order of its position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let last = 0;
        for (const { position, start, end } of tokensOf(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(position ?? last).toBeGreaterThanOrEqual(last);
          last = position ?? last;
        }
      }),
    );
  });

  it('stops when no more tokens are wanted', () => {
    let count = 0;
    tokenize('a b_c 東京 ประชุม', () => (count += 1) < 2);
    expect(count).toBe(2);
  });
});
