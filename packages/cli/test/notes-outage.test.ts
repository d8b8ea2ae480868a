import { afterEach, expect, it } from '@jest/globals';
import { runWith } from './notes-environment.ts';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const note = { id, title: 'Note', folder: 'log', revision: 1, content: 'a\n', tags: [] };
const restarting = asJson(
  { code: 'internal', title: 'Restarting', status: 500, detail: 'Restarting.' },
  500,
);
const notFound = asJson(
  { code: 'not_found', title: 'Not found', status: 404, detail: 'None.' },
  404,
);

let server: StubServer;
afterEach(() => server.stop());

/** A server that is restarting for the first lookup of a name. */
const startRestarting = async (): Promise<StubServer> => {
  let failures = 1;
  server = await startStubServer(({ path }) => {
    const isLookup = path.startsWith('/api/notes/by-path');
    if (isLookup && failures > 0) {
      failures -= 1;
      return restarting;
    }
    return asJson(note);
  });
  return server;
};

const writes = [
  ['append', ['notes', 'append', 'log/Note', '--text', 'x']],
  ['edit', ['notes', 'edit', 'log/Note', '--find', 'a', '--with', 'b']],
  ['write', ['notes', 'write', 'log/Note', '--revision', '1', '--text', 'x']],
  ['delete', ['notes', 'delete', 'log/Note']],
  ['restore', ['notes', 'restore', 'log/Note']],
] as const;

it.each(writes)(
  'a write by name outlasts a restart as one by id does: notes %s',
  async (_, args) => {
    const { env } = await startRestarting();
    const { code, stderr } = await runWith(env)(args);
    expect([code, stderr]).toEqual([0, expect.stringContaining('; retrying')]);
  },
);

it('a command that only reads fails soon, so that a person sees why', async () => {
  const { env } = await startRestarting();
  expect((await runWith(env)(['notes', 'read', 'log/Note'])).code).toBe(6);
});

it('a name that no note has is a result, which no write repeats', async () => {
  server = await startStubServer(({ path }) =>
    path.startsWith('/api/notes/by-title')
      ? asJson({ items: [], former: [], isComplete: true })
      : notFound,
  );
  const { code, stderr } = await runWith(server.env)(['notes', 'delete', 'log/Note']);
  expect([code, stderr]).toEqual([3, expect.not.stringContaining('retrying')]);
});
