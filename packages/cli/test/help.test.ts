import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandList } from '../src/command-list.ts';
import { helpTopics } from '../src/help-topics.ts';
import { startCommandHost } from './start-command-host.ts';

const host = startCommandHost();
/** Runs the program; all commands in one process. */
const run = (args: readonly string[]) => host.run({ args, env: { HOME: '/tmp' }, input: '' });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-help-'));
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true });
});

describe('help', () => {
  it.each([...commandList.map(({ name }) => name), ...Object.keys(helpTopics)])(
    'of "%s" fits a screen of 80 columns and 30 lines',
    async (name) => {
      const entry = commandList.find((each) => each.name === name);
      const text = entry ? (await entry.load()).help : (helpTopics[name] ?? '');
      const lines = text.trimEnd().split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines.length).toBeLessThanOrEqual(30);
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

  it.each([
    [['--json', 'whoami'], 'options follow the command: unexpected --json'],
    [['sync', ''], 'no folder: name the folder to synchronise; . is the current one'],
    [['notes', 'write', '', '--text', 'x'], 'an argument is empty: commonplace notes write <note>'],
    [['notes', 'write', 'folder/', '--text', 'x'], 'the note has no name'],
    [['notes', 'read'], 'an argument is missing: commonplace notes read <note> [options]'],
    [['notes', 'list', '--frob'], 'unknown option --frob: --help lists the options'],
    [['notes', 'search', '-zzz'], 'unknown option -z: --help lists the options'],
    [['notes', 'write', 'Plan', '--text', 'x', '--file', 'y'], 'only one of --text and --file'],
    [['notes', 'append', 'Plan', '--text', 'x', '--file', '-'], 'only one of --text and --file'],
    [['notes', 'append', 'Plan', '--text', 'x', '-t', 'y'], '--text is given more than once'],
    [['undo', '--run', 'x', '--run=y', '--note', 'a', '--note', 'b'], '--run is given more than'],
    [['usage', '--limit', '5'], '--limit needs --by agent, model or run'],
    [['usage', '--by', 'run', '--csv', '--json'], 'only one of --csv and --json'],
    [['sync', '.', '--json', '--json'], '--json is given more than once'],
    [['heartbeat', '--grants', 'a', '--grants', 'b', '--', 'true'], '--grants is given more than'],
  ])('of what is wrong is printed for: commonplace %j', async (args, text) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code: [2, 125].includes(code ?? 0), stdout, stderr }).toEqual({
      code: true,
      stdout: '',
      stderr: expect.stringContaining(text),
    });
  });

  it.each(['', 'notes', 'proposals'])('of "%s" has a column of summaries', async (group) => {
    const { stdout } = await run(['help', group].filter(Boolean));
    for (const { name, summary } of commandList.filter((each) => each.name.startsWith(group))) {
      expect(stdout).toMatch(new RegExp(`^ *(commonplace )?${name} {2,}${summary}$`, 'm'));
    }
  });

  it('of an unknown command is short: the commands of its group, or where they are listed', async () => {
    const inGroup = await run(['notes', 'remove', 'Plan']);
    expect(inGroup).toMatchObject({ code: 2, stdout: '' });
    expect(inGroup.stderr).toMatch(
      /^commonplace: unknown command "notes remove.*\n\n {2}notes list/,
    );
    expect(inGroup.stderr).not.toContain('heartbeat');
    expect((await run(['help', 'constructor'])).stderr).toContain('unknown command "constructor"');
    expect(await run(['frob'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'commonplace: unknown command "frob": `commonplace help` lists the commands\n',
    });
  });

  it('of the environment has the session that commands of operators take', async () => {
    expect((await run(['help', 'environment'])).stdout).toContain('COMMONPLACE_SESSION ');
  });

  it('has the version of the package', async () => {
    const file = await readFile(new URL('../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(file) as { version: string };
    for (const flag of ['--version', '-v']) {
      expect(await run([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('offers --json for every command that has a result, and for no other', async () => {
    const offered = await Promise.all(
      commandList.map(async ({ name, load }) => ({
        name,
        flags: Object.keys((await load()).flags),
      })),
    );
    const without = offered.filter(({ flags }) => !flags.includes('json')).map(({ name }) => name);
    expect(without.toSorted()).toEqual(['completion', 'mcp']);
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
    expect(await complete('notes', 're')).toEqual(['read', 'restore']);
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
});
