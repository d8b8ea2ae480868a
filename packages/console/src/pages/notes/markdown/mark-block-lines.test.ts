import { expect, it } from '@jest/globals';
import { markBlockLines } from './mark-block-lines.ts';
import type { HtmlNode } from './mark-task-lines.ts';

const element = (tagName: string, line: number, children: readonly HtmlNode[] = []) => ({
  type: 'element',
  tagName,
  position: { start: { line }, end: { line: line + 1 } },
  properties: {} as Record<string, unknown>,
  children,
});

it('blocks, items of lists in each other and rows of tables know their lines, and nothing within them', () => {
  const bold = element('strong', 1);
  const paragraph = element('p', 1, [bold]);
  const inner = element('li', 4);
  const item = element('li', 3, [element('strong', 3), element('ul', 4, [inner])]);
  const list = element('ul', 3, [{ type: 'text' }, item]);
  const row = element('tr', 7);
  const table = element('table', 5, [element('tbody', 7, [row])]);
  markBlockLines()({ type: 'root', children: [paragraph, { type: 'text' }, list, table] });
  const linesOf = ({ properties }: typeof row) => [
    properties['dataLine'],
    properties['dataLastLine'],
  ];
  expect([paragraph, bold, list, item, inner, table, row].map(linesOf)).toEqual([
    [1, 2],
    [undefined, undefined],
    [3, 4],
    [3, 4],
    [4, 5],
    [5, 6],
    [7, 8],
  ]);
});
