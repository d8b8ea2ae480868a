import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, type Api } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompanyKey } from '../src/world.ts';

let system: TestSystem;
let agent: Api;

beforeAll(async () => {
  system = await startTestSystem('local_trusted', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const { key } = await makeCompanyKey(system.as({}), 'Edited');
  agent = system.as(bearer(key));
}, 120_000);
afterAll(() => system.stop());

const content = '# Plan\n## Risks\nnone\n# Log\n## Risks\nnone\n';
const append = (text: string) => ({ op: 'append', text });

/** Edits that must not be applied, each after one that could be: [what, status, code, edits]. */
const badEdits: readonly (readonly [string, number, string, readonly unknown[]])[] = [
  ['an unknown op', 400, 'validation_failed', [append('x'), { op: 'rewrite', text: 'x' }]],
  ['no op', 400, 'validation_failed', [append('x'), { text: 'x' }]],
  ['a field too many', 400, 'validation_failed', [append('x'), { ...append('x'), heading: 'Log' }]],
  [
    'an empty find',
    400,
    'validation_failed',
    [append('x'), { op: 'replace', find: '', with: 'x' }],
  ],
  ['an empty append', 400, 'validation_failed', [append('x'), append('')]],
  ['a set of nothing', 400, 'validation_failed', [append('x'), { op: 'set' }]],
  ['NUL', 400, 'validation_failed', [append('x'), append('\0')]],
  ['a lone surrogate', 400, 'validation_failed', [append('x'), append('\ud800')]],
  ['no edits', 400, 'validation_failed', []],
  ['33 edits', 400, 'validation_failed', Array.from({ length: 33 }, () => append('x'))],
  [
    'an ambiguous heading',
    409,
    'edit_not_applicable',
    [append('x'), { op: 'insert_after', heading: 'Risks', text: 'x' }],
  ],
  [
    'an unknown heading',
    409,
    'edit_not_applicable',
    [append('x'), { op: 'replace_section', heading: 'Plan/Log', text: 'x' }],
  ],
  [
    'a text that occurs twice',
    409,
    'edit_not_applicable',
    [append('x'), { op: 'replace', find: 'none', with: 'x' }],
  ],
  ['a note beyond 512 KiB', 413, 'body_too_large', [append('x'), append('y'.repeat(512 * 1024))]],
  [
    'a note beyond 512 KiB by replacing',
    413,
    'body_too_large',
    [append('x'), { op: 'replace', find: 'none', with: 'y'.repeat(300_000), count: 2 }],
  ],
  [
    'properties beyond 16 KiB',
    400,
    'validation_failed',
    [append('x'), { op: 'set', properties: { more: 'y'.repeat(10_000) } }],
  ],
  [
    'more than 64 tags',
    400,
    'validation_failed',
    [
      append('x'),
      { op: 'set', tags: { add: Array.from({ length: 64 }, (_, index) => `tag ${index}`) } },
    ],
  ],
];

describe('PATCH /api/notes/{id}', () => {
  it.each(badEdits)(
    'refuses %s with %i, and changes nothing',
    async (...[, status, code, edits]) => {
      const path = `/api/notes/${randomUUID()}`;
      const properties = { some: 'z'.repeat(10_000) };
      const put = { title: 'Edited', content, tags: ['first'], properties };
      expect((await agent('PUT', path, { body: put })).status).toBe(201);
      const before = (await agent('GET', path)).body;
      const refused = await agent('PATCH', path, { body: { edits } });
      expect({ status: refused.status, body: refused.body }).toMatchObject({
        status,
        body: { code },
      });
      expect((await agent('GET', path)).body).toEqual(before);
    },
  );

  it('names the headings that an ambiguous path may mean, and the number of texts found', async () => {
    const path = `/api/notes/${randomUUID()}`;
    await agent('PUT', path, { body: { title: 'Edited', content } });
    const patch = async (edit: object) =>
      (await agent('PATCH', path, { body: { edits: [edit] } })).body;
    expect(await patch({ op: 'insert_after', heading: 'Risks', text: 'x' })).toMatchObject({
      edit: 0,
      candidates: [
        { heading: 'Plan/Risks', line: 2 },
        { heading: 'Log/Risks', line: 5 },
      ],
    });
    expect(await patch({ op: 'replace', find: 'none', with: 'x' })).toMatchObject({
      edit: 0,
      found: 2,
    });
  });
});
