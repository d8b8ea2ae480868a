import { describe, expect, it } from '@jest/globals';
import { noteId } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import type { UnparsedPut } from './change.ts';
import { createPutParser, parsePut } from './parse-put.ts';

const put = (note: unknown): UnparsedPut => ({
  rule: 'unparsed_put',
  id: noteId.parse('00000000-0000-4000-8000-000000000000'),
  note,
  baseRevision: null,
  onConflict: 'merge',
  mutation: { caller: 'agent:a', clientId: 'c', mutationId: 'm' },
});

const manyTags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

describe('a note that is parsed', () => {
  it('is a change with all its fields when it is a good one', () => {
    const reading = parsePut(put({ title: 't', tags: [' b', 'a'] }));
    expect(reading).toMatchObject({
      rule: 'sync_put',
      fields: { title: 't', content: '', tags: ['a', 'b'] },
    });
  });

  it.each([
    ['that is no object', 'text', /^note: /],
    ['with a field that is none', { title: 't', colour: 'red' }, /colour/],
    ['with one tag too many', { tags: manyTags(noteLimits.tagsMax + 1) }, /^\/tags: .*64/],
  ])('%s is rejected for what is wrong', (_what, note, detail) => {
    expect(parsePut(put(note))).toMatchObject({
      status: 'rejected',
      error: { code: 'validation_failed', detail: expect.stringMatching(detail) },
    });
  });

  it('may have as many tags as the limit', () => {
    const tags = manyTags(noteLimits.tagsMax);
    expect(parsePut(put({ tags }))).toMatchObject({ fields: { tags: tags.toSorted() } });
  });

  it('is not validated for millions of bad tags; one above the limit is enough', () => {
    let looks = 0;
    const tags = Array.from({ length: 1_000 }, () => 'a tag');
    Object.defineProperty(tags, noteLimits.tagsMax + 1, { get: () => (looks += 1) });
    expect(parsePut(put({ tags }))).toMatchObject({ status: 'rejected' });
    expect(looks).toBe(0);
  });

  it('is validated once per parser', () => {
    const read = createPutParser();
    const [one, other] = [put({ title: 'one' }), put({ title: 1 })];
    expect(read(one)).toBe(read(one));
    expect(read(other)).toBe(read(other));
  });
});
