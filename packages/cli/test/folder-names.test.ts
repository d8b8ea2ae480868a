import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exitCodes } from '../src/exit-codes.ts';
import { runWith } from './notes-environment.ts';
import { asJson, startStubServer, type StubRequest, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const empty = { items: [], nextCursor: null, isComplete: true, id, revision: 2 };

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(() => asJson(empty));
});
afterAll(() => server.stop());

/** The folders that a request names, in its query or its body. */
const folderOf = ({ path, body }: StubRequest): unknown => {
  const inQuery = new URL(path, 'http://commonplace.test').searchParams.get('folder');
  if (inQuery !== null) {
    return inQuery;
  }
  const { folders, edits } = JSON.parse(body) as {
    readonly folders?: unknown;
    readonly edits?: readonly { readonly folder: string }[];
  };
  return folders ?? edits?.[0]?.folder;
};

describe('a folder with a slash at its end', () => {
  it.each([
    [['notes', 'list', 'a/b/'], 'a/b'],
    [['notes', 'links', '--broken', '--folder', 'a/b/'], 'a/b'],
    [['notes', 'search', 'water', '--folder', 'a/b/'], 'a/b'],
    [['notes', 'edit', id, '--folder', 'a/b/'], 'a/b'],
    [['notes', 'edit', id, '--folder', ''], ''],
    [
      ['context', '--folder', 'a/b/', '--folder', 'c'],
      ['a/b', 'c'],
    ],
  ])('is the folder: commonplace %j', async (args, folder) => {
    const before = server.requests.length;
    const { code } = await runWith(server.env)(args);
    expect(server.requests.slice(before).map(folderOf)).toEqual([folder]);
    expect([exitCodes.done, exitCodes.notFound]).toContain(code);
  });
});
