import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandList } from '../src/command-list.ts';
import { helpTopics } from '../src/help-topics.ts';
import { runWith } from './notes-environment.ts';

const run = runWith({});
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-help-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('help', () => {
  it.each([...commandList.map(({ name }) => name), ...Object.keys(helpTopics)])(
    'of "%s" fits a screen of 80 columns and 24 lines',
    async (name) => {
      const entry = commandList.find((each) => each.name === name);
      const text = entry ? (await entry.load()).help : (helpTopics[name] ?? '');
      const lines = text.trimEnd().split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines.length).toBeLessThanOrEqual(24);
    },
  );

  it.each([
    [['notes', 'read', '--help'], 'Usage: commonplace notes read'],
    [['help', 'notes', 'read'], 'Usage: commonplace notes read'],
    [['notes'], 'commonplace notes append'],
    [['help', 'exit-codes'], 'try again later'],
    [[], 'Usage: commonplace <command>'],
  ])('is printed for: commonplace %j', async (args, text) => {
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, expect.stringContaining(text)]);
  });

  it('has the version of the package', async () => {
    const file = await readFile(new URL('../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(file) as { version: string };
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('says for every command that it can print JSON', async () => {
    for (const { load } of commandList.filter(({ name }) => name !== 'mcp')) {
      expect((await load()).help).toContain('--json');
    }
  });
});

describe('completion', () => {
  const complete = async (...words: string[]) =>
    (await run(['complete', '--', ...words])).stdout
      .split('\n')
      .map((line) => line.split('\t')[0])
      .filter((word) => word && !word.startsWith(':'));

  it('offers commands, their options, and the values of options', async () => {
    expect(await complete('no')).toEqual(['notes']);
    expect(await complete('notes', 're')).toEqual(['read']);
    expect(await complete('notes', 'list', '--')).toEqual(
      expect.arrayContaining(['--tag', '--json', '--help']),
    );
    expect(await complete('notes', 'list', '--sort', '')).toEqual([
      'updatedAt',
      'createdAt',
      'title',
    ]);
    expect(await complete('completion', 'f')).toEqual(['fish']);
  });

  it('offers folders to synchronise', async () => {
    await mkdir(join(folder, 'notes-of-ada'));
    await writeFile(join(folder, 'notes.txt'), '');
    expect(await complete('sync', `${folder}/no`)).toEqual([`${folder}/notes-of-ada/`]);
  });

  it.each(['bash', 'zsh', 'fish'])('has a script that %s can parse', async (shell) => {
    const { code, stdout } = await run(['completion', shell]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('commonplace complete --')]);
    const checked = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    // Not every machine has every shell.
    expect(checked.error ? 0 : checked.status).toBe(0);
  });
});
