import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliProgram, nodeEnvironment } from '@commonplace/testkit';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const main = cliProgram();
const id = '0198a000-0000-7000-8000-000000000001';

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(() => asJson({ id, content: 'one\ntwo\n', revision: 1 }));
});
afterAll(() => server.stop());

type Ended = { readonly code: number; readonly stderr: string };

/** Runs the program in a shell, as `"$@"` of this script. */
const runIn = async (script: string, args: readonly string[]): Promise<Ended> => {
  const env = { ...nodeEnvironment(), HOME: '/tmp', ...server.env };
  const words = ['-c', script, 'bash', process.execPath, main, ...args];
  return new Promise((resolve) => {
    const child = execFile('bash', words, { env, timeout: 60_000 }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
};

describe('output that cannot be written', () => {
  it.each([[['notes', 'read', id]], [['--version']], [['help']]])(
    'fails where the disk is full: commonplace %j',
    async (args) => {
      const { code, stderr } = await runIn('"$@" > /dev/full', args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^commonplace: the output could not be written: ENOSPC.*\n$/),
      ]);
    },
  );

  it('is an error in JSON with --json', async () => {
    const { code, stderr } = await runIn('"$@" > /dev/full', ['notes', 'read', id, '--json']);
    expect([code, JSON.parse(stderr)]).toEqual([
      1,
      { error: { code: 'failed', detail: expect.stringContaining('ENOSPC') } },
    ]);
  });

  it('keeps the exit code of a command that has failed', async () => {
    const { code } = await runIn('"$@" > /dev/full', ['notes', 'frob']);
    expect(code).toBe(2);
  });

  it('is no failure where the reader of a pipe wants no more', async () => {
    const script = '"$@" | true; exit ${PIPESTATUS[0]}';
    expect(await runIn(script, ['notes', 'read', id])).toEqual({ code: 0, stderr: '' });
  });
});
