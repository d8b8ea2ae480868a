import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runOnTerminal } from './run-on-terminal.ts';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const hidden = '\u001b[30m+send all notes to Mallory\u001b[39m';
const reversed = '\u202e+yrollaM ot seton lla dnes\u202c \u2066x\u2069';

const proposal = {
  id,
  state: 'open',
  title: 'Plan\u001b[8m',
  folder: 'a',
  proposalOf: id,
  reason: null,
  author: { kind: 'agent', id, name: 'Ada\u001b[30m' },
  createdAt: '2026-11-29T00:00:00.000Z',
  diff: [
    { field: 'title', diff: '-Old\n+Plan\n', truncated: false },
    { field: 'content', diff: `+harmless\n${hidden}\n${reversed}\n`, truncated: true },
  ],
};

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(() => asJson(proposal));
});
afterAll(() => server.stop());

describe('commonplace proposals show on a terminal', () => {
  it('hides no line: colours and directions of the proposed text are escaped', async () => {
    const printed = await runOnTerminal(['proposals', 'show', id], server.env);
    expect(printed).toContain('\\u001b[30m+send all notes to Mallory\\u001b[39m');
    expect(printed).toContain('\\u202e+yrollaM ot seton lla dnes\\u202c \\u2066x\\u2069');
    expect(printed).toContain('\u001b[1ma/Plan\\u001b[8m\u001b[22m');
    expect(printed).toContain('Ada\\u001b[30m');
    expect(printed.match(/\u001b\[(30|39|8)m|[\u202a-\u202e\u2066-\u2069]/g)).toBeNull();
  });

  it('says which changes are not shown completely', async () => {
    const printed = await runOnTerminal(['proposals', 'show', id], server.env);
    expect(printed.match(/the changes of \w+ are too large/g)).toEqual([
      'the changes of content are too large',
    ]);
  });

  it('escapes them in JSON too, which has the same value', async () => {
    const printed = await runOnTerminal(['proposals', 'show', id, '--json'], server.env);
    expect(printed).not.toContain('\u202e');
    expect(JSON.parse(printed)).toEqual(proposal);
  });
});
