import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWith } from './notes-environment.ts';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

/** What the server says of the argument, by the query of a search: a code, or the message of a field. */
let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(({ path }) => {
    const said = new URL(path, 'http://commonplace.test').searchParams.get('q') ?? '';
    const isCode = /^[a-z_]+$/.test(said);
    const code = isCode ? said : 'validation_failed';
    const errors = isCode ? [] : [{ path: '/q', message: said }];
    return asJson({ code, title: 'Refused', status: 400, detail: 'Refused.', errors }, 400);
  });
});
afterAll(() => server.stop());

const search = (said: string) => runWith(server.env)(['notes', 'search', said]);

describe('an argument that the server refuses', () => {
  it.each(['validation_failed', 'ambiguous_target', 'malformed_header', 'company_required'])(
    'is a wrong argument, which no script repeats: %s',
    async (code) => {
      expect((await search(code)).code).toBe(2);
    },
  );

  it('is none where the program has sent what it should not', async () => {
    expect((await search('malformed_json')).code).toBe(1);
  });

  it.each([
    ['Too small: expected string to have >=1 characters', 'must not be empty'],
    ['Too big: expected string to have <=500 characters', 'must have at most 500 characters'],
    ['Too small: expected number to be >=1', 'must be at least 1'],
    ['Too big: expected number to be <=200', 'must be at most 200'],
    ['Invalid input: expected number, received undefined', 'is missing'],
    ['Invalid option: expected one of "a"|"b"', 'must be one of "a"|"b"'],
    ['must be a UUID', 'must be a UUID'],
  ])('is described in words: %s', async (message, words) => {
    expect((await search(message)).stderr).toContain(`\n  /q ${words}\n`);
  });
});

it('a file of a text that cannot be read is a wrong argument', async () => {
  const { code, stderr } = await runWith(server.env)(['notes', 'append', 'a', '--file', '/none']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('/none cannot be read (ENOENT)')]);
});
