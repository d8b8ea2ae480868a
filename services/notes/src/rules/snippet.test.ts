import { describe, expect, it } from '@jest/globals';
import { snippetAround, snippetOf } from './snippet.ts';

describe('snippetOf', () => {
  it.each([
    ['# Title\n\nSome *emphasis*, **bold** and `code`.', 'Title Some emphasis, bold and code.'],
    ['- [ ] todo\n- [x] done\n1. first', 'todo done first'],
    ['> quote\n\n---\n\n[link](https://example.org) ![image](a.png)', 'quote link image'],
    ['```js\nconst a = 1\n```\n~~gone~~', 'const a = 1 gone'],
    ['<b>html</b>\n\n| a | b |', 'html | a | b |'],
    ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
    ['', ''],
  ])('%j reads %j', (content, snippet) => {
    expect(snippetOf(content)).toBe(snippet);
  });

  it('of a part that was cut off begins with a word', () => {
    expect(snippetAround('et. Cy waits for *parts*', true)).toBe('…Cy waits for parts');
    expect(snippetAround('et. Cy waits', false)).toBe('et. Cy waits');
  });

  it('ends after 200 characters, never within one', () => {
    const snippet = snippetOf('😀'.repeat(300));
    expect([...snippet]).toHaveLength(200);
    expect(snippet.isWellFormed()).toBe(true);
  });

  it.each(['*', '_', '[', '(', '<a', '`', '- ', '#', '![](', '\n\t', '* '])(
    'reads half a mebibyte of %j within 500 ms',
    (piece) => {
      const startedAt = performance.now();
      snippetOf(piece.repeat(524_288 / piece.length));
      expect(performance.now() - startedAt).toBeLessThan(500);
    },
  );
});
