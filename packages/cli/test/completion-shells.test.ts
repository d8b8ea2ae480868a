import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliProgram } from '@commonplace/testkit';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { unquote } from '../src/complete.ts';
import { shells } from '../src/shells.ts';

jest.setTimeout(180_000);

const main = cliProgram();

/** Names that any writer of the company may give to a folder. */
const hostileNames = [
  '$(touch pwned)"`touch pwned`',
  "x'; touch pwned; '",
  'a b\\ $HOME * & touch pwned',
];

/** Words that begin in quotes, or after an equals sign, where bash completes a part of the word. */
const inQuotes = {
  lines: [
    'commonplace sync "f0/\t',
    "commonplace sync 'f1/\t",
    'commonplace notes write x --file=f0/\t',
  ],
  words: [
    'sync',
    `f0/${hostileNames[0]}/`,
    'sync',
    `f1/${hostileNames[1]}/`,
    'notes',
    'write',
    'x',
    `--file=f0/${hostileNames[0]}/`,
  ],
};

const home = mkdtempSync(join(tmpdir(), 'commonplace-completion-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A program that completes as ours does, and records what it is called with. */
const installProgram = (): void => {
  const program = `#!/bin/sh
case "$1" in complete|completion) exec "${process.execPath}" "${main}" "$@";; esac
printf '%s\\0' "$@" >> "${home}/calls"
`;
  writeFileSync(join(home, 'commonplace'), program, { mode: 0o755 });
};

const starts = {
  bash: { args: ['--norc', '--noprofile', '-i'], source: 'source <(commonplace completion bash)' },
  zsh: { args: ['-f', '-i'], source: 'source <(commonplace completion zsh)' },
  fish: { args: ['--no-config', '-i'], source: 'commonplace completion fish | source' },
};

/** Types lines in an interactive shell, and returns the arguments that the program got. */
const typeLines = (shell: (typeof shells)[number], lines: readonly string[]): string[] => {
  const { args, source } = starts[shell];
  const input = [source, ...lines, 'exit'].map((line) => `${line}\r`).join('');
  const env = { PATH: `${home}:${process.env['PATH']}`, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
  rmSync(join(home, 'calls'), { force: true });
  const options = { env, cwd: home, input, encoding: 'utf8', timeout: 150_000 } as const;
  const ran = spawnSync('script', ['-qec', [shell, ...args].join(' '), '/dev/null'], options);
  try {
    return readFileSync(join(home, 'calls'), 'utf8').split('\0').slice(0, -1);
  } catch {
    throw new Error(`${shell} called nothing: ${ran.stdout}`);
  }
};

const isInstalled = (shell: string): boolean => !spawnSync(shell, ['-c', 'true']).error;

describe('completion in an interactive shell', () => {
  // CI installs all three shells; another machine may lack some.
  const present = process.env['CI'] ? shells : shells.filter(isInstalled);
  it.each(present)('of %s inserts hostile names as they are, and runs none', (shell) => {
    installProgram();
    hostileNames.forEach((name, at) => mkdirSync(join(home, `f${at}`, name), { recursive: true }));
    const folders = hostileNames.map((_, at) => `commonplace sync f${at}/\t`);
    const more = shell === 'bash' ? inQuotes : { lines: [], words: [] };
    const called = typeLines(shell, [...folders, ...more.lines, 'commonplace notes rea\t']);
    const synced = hostileNames.flatMap((name, at) => ['sync', `f${at}/${name}/`]);
    const expected = [...synced, ...more.words];
    expect(called.map((word) => word.replace(/\/*$/, '/'))).toEqual(
      [...expected, 'notes', 'read'].map((word) => word.replace(/\/*$/, '/')),
    );
    expect(readdirSync(home)).not.toContain('pwned');
  });
});

describe('a typed word', () => {
  it.each([
    ['a\\ b', 'a b'],
    [`'a b'c`, 'a bc'],
    [`"a \\"b\\" \\$x`, 'a "b" $x'],
    ['$(touch x)', '$(touch x)'],
    ["'it'\\''s", "it's"],
  ])('%s is %s without its quotes', (typed, word) => {
    expect(unquote(typed)).toBe(word);
  });
});
