import { describe, expect, it } from '@jest/globals';
import { readDroppedFiles } from './read-dropped-files.ts';

const reportOf = (bytes: readonly number[] | string, type = 'text/csv') =>
  readDroppedFiles([
    new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'a.csv', { type }),
  ]);

const latin = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

const utf16 = (text: string, isLittle: boolean): number[] => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (const [index, letter] of [...text].entries()) {
    view.setUint16(index * 2, letter.charCodeAt(0), isLittle);
  }
  return [...new Uint8Array(view.buffer)];
};

const nothing = {
  text: '',
  added: [],
  assumed: [],
  images: [],
  tooLarge: [],
  notText: [],
  unreadable: [],
};

describe('readDroppedFiles', () => {
  it('reads UTF-8 and UTF-16, without their byte order marks', async () => {
    const expected = { ...nothing, text: 'Köln\n1 €', added: ['a.csv'] };
    const marked = '\ufeffKöln\r\n1 €';
    expect(await reportOf('Köln\r\n1 €')).toEqual(expected);
    expect(await reportOf(marked)).toEqual(expected);
    expect(await reportOf(utf16(marked, true))).toEqual(expected);
    expect(await reportOf(utf16(marked, false))).toEqual(expected);
  });

  it('reads other text as Windows-1252, never with replacement characters', async () => {
    expect(await reportOf([...latin('Müller;Köln;1.200 '), 0x80])).toEqual({
      ...nothing,
      text: 'Müller;Köln;1.200 €',
      assumed: ['a.csv'],
    });
  });

  it.each([
    ['a PDF of printable characters', '%PDF-1.7 1 0 obj'],
    ['a PDF without NUL bytes', [...latin('%PDF-1.7\n%âãÏÓ\n')]],
    ['zeros', '\0\u0001\u0002'],
    ['bytes that are no text in any encoding', [0xe9, 0x61, 0x81]],
    ['a control character beside bytes that are not UTF-8', [0xe9, 0x02, 0x61]],
  ])('takes %s for what it is', async (_, bytes) => {
    expect(await reportOf(bytes)).toEqual({ ...nothing, notText: ['a.csv'] });
  });

  it('leaves out images, and what is larger than a note', async () => {
    expect(await reportOf('<svg/>', 'image/svg+xml')).toEqual({ ...nothing, images: ['a.csv'] });
    expect(await reportOf('x'.repeat(600_000))).toEqual({ ...nothing, tooLarge: ['a.csv'] });
  });
});
