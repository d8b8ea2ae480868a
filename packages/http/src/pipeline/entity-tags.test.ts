import { describe, expect, it } from '@jest/globals';
import { parseEntityTags } from './entity-tags.ts';

describe('parseEntityTags', () => {
  it.each([
    [undefined, null],
    ['*', 'any'],
    [' * ', 'any'],
    ['"3"', ['3']],
    ['W/"3", "4"', ['3', '4']],
    ['""', ['']],
    ['3', 'malformed'],
    ['"3', 'malformed'],
    ['', 'malformed'],
    ['"3",', 'malformed'],
    ['w/"3"', 'malformed'],
  ])('%j is %j', (header, tags) => {
    expect(parseEntityTags(header)).toEqual(tags);
  });
});
