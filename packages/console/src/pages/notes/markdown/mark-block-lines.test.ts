import { expect, it } from '@jest/globals';
import { markBlockLines } from './mark-block-lines.ts';
import type { HtmlNode } from './mark-task-lines.ts';

const element = (tagName: string, line: number, children: readonly HtmlNode[] = []) => ({
  type: 'element',
  tagName,
  position: { start: { line }, end: { line } },
  properties: {} as Record<string, unknown>,
  children,
});

it('blocks and items of lists know their line, and nothing within them', () => {
  const bold = element('strong', 1);
  const paragraph = element('p', 1, [bold]);
  const item = element('li', 3);
  const list = element('ul', 3, [{ type: 'text' }, item]);
  markBlockLines()({ type: 'root', children: [paragraph, { type: 'text' }, list] });
  expect([paragraph, bold, list, item].map(({ properties }) => properties['dataLine'])).toEqual([
    1,
    undefined,
    3,
    3,
  ]);
});
