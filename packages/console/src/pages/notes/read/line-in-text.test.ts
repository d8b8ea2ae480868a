import { expect, it } from '@jest/globals';
import { lineInText } from './line-in-text.ts';

const text = [
  '# Plan',
  '',
  '## Risks',
  'rain',
  'frost',
  '```',
  '## Costs',
  '```',
  '## Costs',
  'soil',
  '',
].join('\n');

it.each([
  ['the lines as they are', { line: 4, toLine: 5 }, [4, 5]],
  ['a line below its heading', { line: 5, under: 'Risks' }, [5, 5]],
  [
    'a heading, if the line is no longer below it',
    { line: 10, toLine: 11, under: 'Risks' },
    [3, 3],
  ],
  ['a heading, not what looks so in code', { line: 4, under: 'Costs' }, [9, 9]],
  ['the line, if its heading is gone', { line: 4, under: 'Weather' }, [4, 4]],
  ['the last line of a text that is shorter now', { line: 90, toLine: 95 }, [11, 11]],
])('an address leads to %s', (_, place, [from, to]) => {
  expect(lineInText(text, place)).toEqual({ from, to });
});
