import { afterEach, describe, expect, it } from '@jest/globals';
import { runWith } from './notes-environment.ts';
import { asJson, startStubServer, type StubResponse, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';

let server: StubServer | undefined;
afterEach(() => server?.stop());

/** Runs a command against a server that has this response for all requests. */
const runAt = async (response: StubResponse, args: readonly string[]) => {
  server = await startStubServer(() => response);
  return runWith(server.env)(args);
};

const page = (status: number): StubResponse => ({
  status,
  type: 'text/html',
  body: '<!doctype html>Welcome',
});
const problem = (code: string) => asJson({ code, detail: 'There is none.', status: 404 }, 404);

const commands = [
  ['notes', 'read', id],
  ['notes', 'write', 'Plan', '--text', 'x'],
  ['notes', 'delete', 'Plan'],
  ['whoami'],
  ['context'],
];

describe('a server that is not Commonplace', () => {
  it.each(commands)('is no missing note: commonplace %s %s', async (...args) => {
    const words = args.filter((word) => word !== undefined);
    const { code, stdout, stderr } = await runAt(page(404), words);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(
        /not from the API: Not Found\n {2}the address is http:.*COMMONPLACE_URL/,
      ),
    ]);
  });

  it.each(commands)('fails at once with a page: commonplace %s %s', async (...args) => {
    const words = args.filter((word) => word !== undefined);
    const { code, stdout, stderr } = await runAt(page(200), words);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining('200 unexpected_answer: The response is not from the API: OK'),
    ]);
    expect(server?.requests).toHaveLength(1);
  });
});

describe('the exit code 3', () => {
  it.each([
    ['not_found', 3],
    ['note_deleted', 3],
    ['route_not_found', 1],
  ])('of %s is %i', async (problemCode, expected) => {
    const { code } = await runAt(problem(problemCode), ['notes', 'read', id]);
    expect(code).toBe(expected);
  });
});
