import { expect, it } from '@jest/globals';
import { tagProblem } from './tag-problem.ts';

it('a tag that is too long is named, counted in characters', () => {
  const long = '🦊'.repeat(65);
  expect(tagProblem(['short', long])).toBe(`“${'🦊'.repeat(20)}…” has more than 64 characters.`);
  expect(tagProblem(['short', '🦊'.repeat(64)])).toBeNull();
  expect(tagProblem([])).toBeNull();
});
