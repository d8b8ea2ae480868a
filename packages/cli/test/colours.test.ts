import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startNotesEnvironment, type NotesEnvironment } from './notes-environment.ts';

jest.setTimeout(120_000);

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const escape = '\u001b[';

let environment: NotesEnvironment;
let credentials: Record<string, string>;
beforeAll(async () => {
  environment = await startNotesEnvironment();
  const { key, run } = await environment.company();
  credentials = { COMMONPLACE_URL: environment.baseUrl, COMMONPLACE_API_KEY: key };
  await run(['notes', 'write', 'projects/Plan', '--tag', 'go', '--text', 'water boils']);
}, 120_000);
afterAll(() => environment.stop());

/** What a command prints on a terminal: `script` of util-linux gives it one. */
const onTerminal = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const line = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ');
  const all = { PATH: process.env['PATH'], HOME: '/tmp', TERM: 'xterm-256color', ...credentials };
  const options = { env: { ...all, ...env }, encoding: 'utf8', timeout: 60_000 } as const;
  return spawnSync('script', ['-qec', line, '/dev/null'], options).stdout;
};

describe('colours', () => {
  const commands = [['notes', 'list'], ['notes', 'search', 'water'], ['whoami']];

  it.each(commands)('are there on a terminal: commonplace %s %s', (...args) => {
    expect(onTerminal(args)).toContain(escape);
  });

  it('are not there with NO_COLOR, on a terminal without colours, and in a pipe', async () => {
    for (const args of commands) {
      expect(onTerminal(args, { NO_COLOR: '1' })).not.toContain(escape);
      expect(onTerminal(args, { TERM: 'dumb' })).not.toContain(escape);
      const { stdout } = spawnSync(process.execPath, [main, ...args], {
        env: { PATH: process.env['PATH'], HOME: '/tmp', ...credentials },
        encoding: 'utf8',
      });
      expect(stdout).not.toBe('');
      expect(stdout).not.toContain(escape);
    }
  });

  it('are not in JSON', () => {
    const text = onTerminal(['notes', 'list', '--json']);
    expect(text).not.toContain(escape);
    expect(JSON.parse(text)).toMatchObject({ items: [{ title: 'Plan' }] });
  });
});
