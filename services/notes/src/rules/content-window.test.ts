import { describe, expect, it } from '@jest/globals';
import { contentWindow } from './content-window.ts';

const content = 'aé€😀z';

describe('contentWindow', () => {
  it('moves a start inside a character back, and an end inside a character back', () => {
    const starts = Array.from({ length: 12 }, (_, from) => contentWindow(content, { from }).from);
    expect(starts).toEqual([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
    const ends = Array.from(
      { length: 11 },
      (_, index) => contentWindow(content, { maxBytes: index + 1 }).to,
    );
    expect(ends).toEqual([1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
  });

  it('has at least one character, and none at the end', () => {
    expect(contentWindow(content, { from: 6, maxBytes: 1 })).toEqual({
      text: '😀',
      from: 6,
      to: 10,
      size: 11,
      truncated: true,
    });
    expect(contentWindow(content, { from: 99, maxBytes: 1 })).toEqual({
      text: '',
      from: 11,
      to: 11,
      size: 11,
      truncated: false,
    });
  });

  it.each([1, 2, 3, 4, 7])('windows of %i bytes one after another are the content', (maxBytes) => {
    const texts: string[] = [];
    let from = 0;
    let isTruncated = true;
    while (isTruncated) {
      const window = contentWindow(content, { from, maxBytes });
      texts.push(window.text);
      [from, isTruncated] = [window.to, window.truncated];
    }
    expect(texts.join('')).toBe(content);
  });
});
