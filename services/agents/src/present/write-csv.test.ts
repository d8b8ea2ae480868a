import { describe, expect, it } from '@jest/globals';
import { writeCsv } from './write-csv.ts';

describe('a table as CSV', () => {
  it('quotes what would end a cell, and leaves empty cells and numbers as they are', () => {
    expect(writeCsv([['a,b', 'say "hi"', null, -5, ' padded ']])).toBe(
      '"a,b","say ""hi""",,-5," padded "\r\n',
    );
  });

  it('has no text that begins like a formula, a tab or a line break', () => {
    const texts = ['=1+1', '  @SUM(1)', '-5', '\tplain', '\nplain'];
    expect(texts.map((text) => writeCsv([[text]]))).toEqual([
      "'=1+1\r\n",
      "'  @SUM(1)\r\n",
      "'-5\r\n",
      "'\tplain\r\n",
      '"\'\nplain"\r\n',
    ]);
  });

  it.each([
    "x;=cmd|'/c calc'!A0;",
    'x; \t+1',
    'x\t=1',
    'x\r\n=1',
    'x;;@SUM(1)',
    'a,b;=1',
    ' ;|calc',
    '"a";%1',
    'x;"=1;',
    '\uff1d1+1',
    '\u3000\uff0b1',
    'x;\uff20SUM(1)',
    'x\uff1b\uff0d1',
    'x\u2028=1',
    'x\u0085\uff05',
    '\ufeff=1',
  ])('has no formula in %j, whatever the list separator of the spreadsheet is', (text) => {
    const line = writeCsv([[1, text, 'last']]).slice(0, -2);
    for (const part of line.split(/,|[;\uff1b\t\r\n\u0085\u2028\u2029]/)) {
      expect(part).not.toMatch(/^[\s"]*[=+\-@|%\uff1d\uff0b\uff0d\uff20\uff5c\uff05]/);
    }
  });

  it('leaves a text as it is whose separators no formula follows', () => {
    expect(writeCsv([['red; green - blue', 'a=b']])).toBe('red; green - blue,a=b\r\n');
  });
});
