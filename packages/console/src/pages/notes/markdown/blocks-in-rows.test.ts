import { expect, it } from '@jest/globals';
import { blocksInRows } from './blocks-in-rows.ts';

it('each block is in a row that knows its lines and those before', () => {
  const block = (from: number, to: number) => ({
    type: 'element',
    tagName: 'p',
    position: { start: { line: from }, end: { line: to } },
  });
  const [first, second] = [block(1, 2), block(4, 4)];
  const feed = { type: 'text' };
  const { children = [] } = blocksInRows({ type: 'root', children: [first, feed, second] });
  expect(children).toMatchObject([
    { tagName: 'div', properties: { dataLines: { from: 1, to: 2 }, dataLinesBefore: null } },
    feed,
    { properties: { dataLines: { from: 4, to: 4 }, dataLinesBefore: { from: 1, to: 2 } } },
  ]);
  expect(children[0]?.children).toEqual([first]);
});
