import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliProgram, nodeEnvironment } from '@commonplace/testkit';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const main = cliProgram();

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(() => asJson({}));
});
afterAll(() => server.stop());

/** Runs the program with words as bash expands them: `$'caf\xe9'` has a byte that is not UTF-8. */
const runInBash = async (words: string, before = '') => {
  const env = { ...nodeEnvironment(), HOME: '/tmp', ...server.env };
  const script = `${before}'${process.execPath}' '${main}' ${words}`;
  return new Promise<{ readonly code: number; readonly stderr: string }>((resolve) => {
    const child = execFile('bash', ['-c', script], { env }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
};

const latin1 = String.raw`$'caf\xe9'`;

describe('an argument that is not UTF-8', () => {
  it.each([
    `notes write Cafe --text ${latin1}`,
    `notes append ${latin1} --text x --create`,
    `notes edit Cafe --find ${latin1} --with x`,
    `notes edit Cafe --find x --with ${latin1}`,
    `notes delete ${latin1}`,
  ])('is refused, and nothing is sent: commonplace %s', async (words) => {
    const { code, stderr } = await runInBash(words);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/an argument is not UTF-8.*"caf\ufffd".*--file/),
    ]);
    expect(server.requests).toEqual([]);
  });
});

describe('a text of more than a note has', () => {
  it.each([
    ['an endless pipe', 'yes |', 'notes append log/Log --create'],
    ['a file without an end', '', 'notes append log/Log --create --file /dev/zero'],
    ['a pipe', 'head -c 524289 /dev/zero |', 'notes write Log'],
    ['a text that gets a line break', 'head -c 524288 /dev/zero |', 'notes append Log --create'],
  ])('is refused before a note is created: %s', async (_what, before, words) => {
    const { code, stderr } = await runInBash(words, before);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('the text has more than 524288 bytes, which is the most that a note'),
    ]);
    expect(server.requests).toEqual([]);
  });
});

describe('an argument with the character U+FFFD', () => {
  const isLinux = process.platform === 'linux';

  it('is taken where the system shows that it was typed', async () => {
    const { stderr } = await runInBash(String.raw`notes delete $'caf\xef\xbf\xbd'`);
    expect(stderr.includes('not UTF-8')).toBe(!isLinux);
    const mixed = await runInBash(String.raw`notes delete $'caf\xef\xbf\xbd\xe9'`);
    expect(mixed.stderr).toContain('not UTF-8');
  });
});
