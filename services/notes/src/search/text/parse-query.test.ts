import { expect, it } from '@jest/globals';
import { parseQuery } from './parse-query.ts';

it('a sign with an accent, which folds to nothing, is no word of a query', () => {
  const query = JSON.stringify(parseQuery('A-\u0301', false));
  expect(query).toContain('{"word":"a"}');
  expect(query).not.toContain('""');
});
