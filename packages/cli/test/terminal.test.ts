import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startNotesEnvironment, type NotesEnvironment } from './notes-environment.ts';
import { runCli } from './run-cli.ts';
import { runOnTerminal } from './run-on-terminal.ts';

jest.setTimeout(120_000);

const escape = '\u001b[';

let environment: NotesEnvironment;
let credentials: Record<string, string>;
let folders: string;
beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'commonplace-terminal-'));
  environment = await startNotesEnvironment();
  const { key, run } = await environment.company();
  credentials = { COMMONPLACE_URL: environment.baseUrl, COMMONPLACE_API_KEY: key };
  await run(['notes', 'write', 'projects/Plan', '--tag', 'go', '--text', 'water boils']);
}, 120_000);
afterAll(async () => {
  await environment.stop();
  await rm(folders, { recursive: true, force: true });
});

type Env = Readonly<Record<string, string>>;

const onTerminal = (args: readonly string[], env: Env = {}): Promise<string> =>
  runOnTerminal(args, { ...credentials, ...env });

/** What a command prints into pipes. */
const inPipe = async (args: readonly string[], env: Env = {}) => {
  const { ended, stdout, stderr } = runCli(args, { ...credentials, ...env });
  await ended;
  return { stdout: stdout(), stderr: stderr() };
};

/** What a synchronisation of a folder with many new files prints on a terminal. */
const syncOnTerminal = async (name: string, env: Env = {}) => {
  const folder = join(folders, name);
  await mkdir(folder);
  const files = Array.from({ length: filesForBar }, (_, index) => `${name} ${index}`);
  await Promise.all(files.map((file) => writeFile(join(folder, `${file}.md`), file)));
  return onTerminal(['sync', folder], env);
};

const filesForBar = 210;

describe('colours', () => {
  const commands = [['notes', 'list'], ['notes', 'search', 'water'], ['whoami']];

  it.each(commands)('are there on a terminal: commonplace %s %s', async (...args) => {
    expect(await onTerminal(args)).toContain(escape);
  });

  it('are not there with NO_COLOR, on a terminal without colours, and in a pipe', async () => {
    for (const args of commands) {
      expect(await onTerminal(args, { NO_COLOR: '1' })).not.toContain(escape);
      expect(await onTerminal(args, { TERM: 'dumb' })).not.toContain(escape);
      const { stdout } = await inPipe(args);
      expect(stdout).not.toBe('');
      expect(stdout).not.toContain(escape);
    }
  });

  it('are not in JSON', async () => {
    const text = await onTerminal(['notes', 'list', '--json']);
    expect(text).not.toContain(escape);
    expect(JSON.parse(text)).toMatchObject({ items: [{ title: 'Plan' }] });
  });
});

describe('the progress of a long synchronisation', () => {
  it('is a bar of what is sent, on a terminal', async () => {
    const printed = await syncOnTerminal('bar');
    expect(printed).toContain(`██ ${filesForBar} of ${filesForBar} notes sent`);
    expect(printed).toContain(`sent ${filesForBar} created`);
  });

  it('counts what is received, of which the total is not known', async () => {
    const folder = join(folders, 'received');
    await mkdir(folder);
    const printed = await onTerminal(['sync', folder]);
    expect(printed).toMatch(/\d{3} notes received/);
    expect(printed).not.toContain('█');
  });

  it('is not shown on a terminal that cannot move its cursor, nor in a pipe', async () => {
    const dumb = await syncOnTerminal('dumb', { TERM: 'dumb' });
    expect(dumb).toContain(`sent ${filesForBar} created`);
    expect(dumb).not.toContain(escape);
    const folder = join(folders, 'pipe');
    await mkdir(folder);
    const { stdout, stderr } = await inPipe(['sync', folder], { TERM: 'xterm-256color' });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^commonplace sync: received \d+ created\n$/);
  });
});

describe('text of others cannot control the terminal', () => {
  const setClipboard = '\u001b]52;c;cHduZWQ=\u0007';

  it('in a note, an excerpt or the name of a file', async () => {
    const { api, run, key } = await environment.company();
    const content = `water ${setClipboard}\u009b31m\n`;
    await api.post('/api/notes', { body: { title: 'Trap', content } });
    for (const args of [
      ['notes', 'read', 'Trap'],
      ['notes', 'search', 'water'],
      ['notes', 'read', 'Trap', '--json'],
    ]) {
      const printed = await onTerminal(args, { COMMONPLACE_API_KEY: key });
      expect(printed).toContain('u001b]52;c;');
      expect(printed).not.toMatch(/\u001b\]|\u009b/);
    }
    // A pipe gets the bytes as they are.
    expect((await run(['notes', 'read', 'Trap'])).stdout).toBe(content);
    const folder = join(folders, 'trap');
    await mkdir(folder);
    await writeFile(join(folder, `${setClipboard}.md`), 'x');
    const printed = await onTerminal(['sync', folder, '--dry-run'], { COMMONPLACE_API_KEY: key });
    expect(printed).toContain('would');
    expect(printed).not.toContain('\u001b]');
  });

  it('in the folder or a tag of a new note, which are refused with the field', async () => {
    const { run } = await environment.company();
    const refused = await run(['notes', 'write', `${setClipboard}/x`, '--text', 'x']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('/folder must not hold control characters'),
    ]);
    const tagged = await run(['notes', 'write', 'x', '--tag', setClipboard, '--text', 'x']);
    expect(tagged.stderr).toContain('must not hold control characters');
  });
});
