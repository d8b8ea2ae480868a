import { expect, it } from '@jest/globals';
import { foldText } from './fold-text.ts';

const id = '0198a000-0000-7000-8000-00000000abcd';

it('has the ends of ids, and leaves out no more of a text of two lines', () => {
  expect(foldText('Ada · reserve $125')).toBeNull();
  expect(foldText(`Ada · run: ${id}, ${id}`)).toBe('Ada · run: 0000abcd, 0000abcd');
  const text = `${id} ${'word '.repeat(26)}`;
  expect(foldText(text)).toBe(text.replace(id, '0000abcd'));
});

it('ends a longer text with an ellipsis', () => {
  expect(foldText(`${id} ${'word '.repeat(50)}`)).toBe(`0000abcd${' word'.repeat(26)} w…`);
});
