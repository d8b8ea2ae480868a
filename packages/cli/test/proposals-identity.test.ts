import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWith } from './notes-environment.ts';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const forbidden = { code: 'operator_only', title: 'Refused', status: 403, detail: 'Refused.' };
const undone = {
  id,
  dryRun: true,
  status: 'succeeded',
  finishedAt: '2026-11-29T00:00:00.000Z',
  outcomes: {},
  notes: [],
  nextCursor: null,
};

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(({ path }) => {
    if (path === '/api/notes/proposals/decide') {
      return asJson(forbidden, 403);
    }
    return asJson(
      path.startsWith('/api/notes/undo') ? undone : { items: [], nextCursor: null, open: 0 },
    );
  });
});
afterAll(() => server.stop());

/** Runs the program in a shell with the key of an agent, and these variables. */
const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runWith({ ...server.env, ...more })(args);

const session = { COMMONPLACE_SESSION: 'abc' };

describe('a shell with the key of an agent', () => {
  it('reads that proposals list has those of the agent', async () => {
    const { code, stderr } = await run(['proposals', 'list']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('as the agent of COMMONPLACE_API_KEY, which sees its own proposals'),
    ]);
  });

  it.each([
    ['accept', id],
    ['reject', id, '--reason', 'no'],
  ])('reads how an operator decides: proposals %s', async (...words) => {
    const { code, stderr } = await run(['proposals', ...words]);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/the agent of COMMONPLACE_API_KEY: an operator unsets it/),
    ]);
  });

  it('reads as whom a command acts that does not use the key', async () => {
    const undo = await run(['undo', '--run', id, '--dry-run']);
    expect(undo).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('as the local operator: COMMONPLACE_API_KEY is not used'),
    });
    const list = await run(['proposals', 'list'], session);
    expect(list.stderr).toContain(
      'as the operator of COMMONPLACE_SESSION: COMMONPLACE_API_KEY is not used',
    );
    expect(list.stderr).not.toContain('its own');
  });

  it('without a key or with a session alone nothing is said', async () => {
    expect((await run(['proposals', 'list'], { COMMONPLACE_API_KEY: '' })).stderr).toBe('');
    const alone = await run(['proposals', 'list'], { COMMONPLACE_API_KEY: '', ...session });
    expect(alone.stderr).toBe('');
  });
});
