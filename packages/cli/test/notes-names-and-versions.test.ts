import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient, type Schema } from '@commonplace/client';
import { startNotesEnvironment, type NotesEnvironment } from './notes-environment.ts';

// Some tests start the program several times, which takes seconds on a busy machine.
jest.setTimeout(120_000);

let environment: NotesEnvironment;
beforeAll(async () => {
  environment = await startNotesEnvironment();
}, 120_000);
afterAll(() => environment.stop());

const json = (text: string): unknown => JSON.parse(text);

describe('commonplace notes delete and restore', () => {
  it('delete a note at its revision, and bring it back by the name that it had', async () => {
    const { run, notes } = await environment.company();
    await run(['notes', 'write', 'projects/Plan', '--text', 'one']);
    const { id } = json((await run(['notes', 'read', 'Plan', '--json'])).stdout) as { id: string };
    const stale = await run(['notes', 'delete', 'Plan', '--revision', '2', '--json']);
    expect([stale.code, json(stale.stderr)]).toMatchObject([
      4,
      { error: { code: 'precondition_failed' } },
    ]);
    const deleted = await run(['notes', 'delete', 'projects/Plan', '-r', '1']);
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining(`restore ${id}`)]);
    expect(await notes()).toEqual([]);
    expect((await run(['notes', 'delete', 'Plan'])).code).toBe(3);
    for (const name of ['elsewhere/Plan', 'Other']) {
      expect((await run(['notes', 'restore', name])).code).toBe(3);
    }
    const restored = await run(['notes', 'restore', 'projects/Plan']);
    expect(restored.stderr).toBe('commonplace: restored projects/Plan: revision 3\n');
    expect((await run(['notes', 'read', 'projects/Plan'])).stdout).toBe('one');
    const again = await run(['notes', 'restore', 'Plan']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('nothing changed')]);
  });

  it('of a version makes it the newest, and of several deleted notes none without its id', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--text', 'one']);
    await run(['notes', 'append', 'Plan', '--text', 'two']);
    const first = json((await run(['notes', 'restore', 'Plan', '-r', '1', '--json'])).stdout);
    expect(first).toMatchObject({ revision: 3, restored: true });
    const { id } = first as { id: string };
    expect(json((await run(['notes', 'delete', 'Plan', '--json'])).stdout)).toEqual({
      id,
      deleted: true,
    });
    await run(['notes', 'write', 'Plan', '--text', 'another']);
    await run(['notes', 'delete', 'Plan']);
    const ambiguous = await run(['notes', 'restore', 'Plan']);
    expect([ambiguous.code, ambiguous.stderr]).toEqual([4, expect.stringContaining(id)]);
    expect((await run(['notes', 'restore', id])).code).toBe(0);
    expect((await run(['notes', 'read', 'Plan'])).stdout).toBe('one');
  });
});

describe('commonplace notes history', () => {
  it('lists the versions with their authors, and compares two', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'projects/Plan', '--text', 'one\ntwo\n']);
    await run(['notes', 'append', 'projects/Plan', '--text', 'three']);
    await run(['notes', 'edit', 'projects/Plan', '--title', 'The plan']);
    const name = json((await run(['whoami', '--json'])).stdout) as { name: string };
    const { stdout } = await run(['notes', 'history', 'The plan']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['3', expect.any(String), name.name, 'projects/The plan'],
      ['2', expect.any(String), name.name, 'projects/Plan'],
      ['1', expect.any(String), name.name, 'projects/Plan'],
    ]);
    const some = await run(['notes', 'history', 'The plan', '--limit', '2']);
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(some.stderr).toContain('raise --limit');
    const all = json((await run(['notes', 'history', 'The plan', '--json'])).stdout);
    expect(all).toMatchObject({ items: [{ revision: 3 }, { revision: 2 }, {}], hasMore: false });
    const changed = await run(['notes', 'history', 'The plan', '--from', '1', '--to', '2']);
    expect(changed.stdout).toContain('+three');
    expect(changed.stdout).not.toContain('The plan');
    await run(['notes', 'restore', 'The plan', '--revision', '1']);
    const last = await run(['notes', 'history', 'projects/Plan', '--limit', '1']);
    expect(last.stdout).toMatch(/^ +4 .* {2}projects\/Plan {2}restored from 1\n$/);
    expect((await run(['notes', 'history', 'Nowhere'])).code).toBe(3);
  });

  it('has versions that `notes read --revision` prints', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--text', 'first\n']);
    await run(['notes', 'append', 'Plan', '--text', 'second']);
    const version = (...args: string[]) => run(['notes', 'read', 'Plan', '--revision', ...args]);
    expect(await version('1')).toEqual({ code: 0, stdout: 'first\n', stderr: '' });
    expect((await version('2')).stdout).toBe('first\nsecond\n');
    expect(json((await version('1', '--json')).stdout)).toMatchObject({
      revision: 1,
      content: 'first\n',
    });
    expect((await version('3')).code).toBe(3);
    expect(await version('1', '--from', '2')).toMatchObject({ code: 2, stdout: '' });
  });

  it('refuses options that it would ignore', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--text', 'one']);
    const onlyTo = await run(['notes', 'history', 'Plan', '--to', '1']);
    expect([onlyTo.code, onlyTo.stderr]).toEqual([2, expect.stringContaining('needs --from')]);
    const limited = await run(['notes', 'history', 'Plan', '--from', '1', '--limit', '5']);
    expect([limited.code, limited.stderr]).toEqual([2, expect.stringContaining('--limit')]);
  });

  it('says where changes are too large to be shown completely', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Long', '--text', 'short']);
    const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}\n`).join('');
    await run(['notes', 'write', 'Long', '-r', '1'], text);
    const changed = await run(['notes', 'history', 'Long', '--from', '1']);
    expect(changed.code).toBe(0);
    expect(changed.stdout).toContain('+line 1\n');
    expect(changed.stderr).toContain('the changes of content are too large');
    const short = await run(['notes', 'history', 'Long', '--from', '2']);
    expect(short.stderr).toBe('');
  });
});

describe('commonplace notes blame', () => {
  it('prints each line with the version that brought it and its author', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--text', 'one\ntwo\n']);
    await run(['notes', 'append', 'Plan', '--text', 'three']);
    const { name } = json((await run(['whoami', '--json'])).stdout) as { name: string };
    const { stdout } = await run(['notes', 'blame', 'Plan']);
    const day = '\\d{4}-\\d{2}-\\d{2}';
    const lines = stdout.trimEnd().split('\n');
    const expected = ['1 .* 1: one', '1 .* 2: two', '2 .* 3: three'].map((line) =>
      expect.stringMatching(new RegExp(`^ +${line.replace('.*', ` ${day}  ${name} `)}$`)),
    );
    expect(lines.slice(0, 3)).toEqual(expected);
    const second = await run(['notes', 'blame', 'Plan', '--from-line', '2', '--to-line', '2']);
    expect(second.stdout.trimEnd().split('\n')).toEqual([expect.stringContaining(' 2: two')]);
    const ranges = json((await run(['notes', 'blame', 'Plan', '--json'])).stdout);
    expect(ranges).toMatchObject({ revision: 2, ranges: [{ toLine: 2 }, { fromLine: 3 }] });
    const turned = await run(['notes', 'blame', 'Plan', '--from-line', '2', '--to-line', '1']);
    expect(turned.code).toBe(2);
  });
});

describe('a name of a note', () => {
  it('of several notes is refused with their ids; of none it exits with 3', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'a/Same', '--text', '1']);
    await run(['notes', 'write', 'b/Same', '--text', '2']);
    const several = await run(['notes', 'read', 'Same']);
    expect([several.code, several.stderr]).toEqual([
      4,
      expect.stringMatching(/a\/Same[^]*b\/Same|b\/Same[^]*a\/Same/),
    ]);
    expect((await run(['notes', 'read', 'Other'])).code).toBe(3);
  });

  it('of several notes of one path is refused with their ids too, by all commands', async () => {
    const { run, api } = await environment.company();
    const body = { title: 'Same', folder: 'a', content: '1' };
    await api.post('/api/notes', { body });
    await api.post('/api/notes', { body });
    for (const words of [['read'], ['append', '--text', 'x'], ['delete']]) {
      const [command = '', ...more] = words;
      const { code, stderr } = await run(['notes', command, 'a/Same', ...more]);
      expect([command, code]).toEqual([command, 4]);
      expect(stderr.match(/^ {2}[0-9a-f-]{36} {2}a\/Same$/gm)).toHaveLength(2);
    }
  });

  it('is found by its exact title, also without a word that a search would find', async () => {
    const { run } = await environment.company();
    for (const title of ['Say "no" 100 %', '?!']) {
      await run(['notes', 'write', `signs/${title}`, '--text', title]);
      expect((await run(['notes', 'read', title.toUpperCase()])).stdout).toBe(title);
    }
    const tooLong = await run(['notes', 'read', 'x'.repeat(2_000)]);
    expect([tooLong.code, tooLong.stderr]).toEqual([
      3,
      expect.stringContaining('there is no note'),
    ]);
  });

  it('may have a slash in its title', async () => {
    const { run, api } = await environment.company();
    await api.post('/api/notes', { body: { title: 'TCP/IP', content: 'stack' } });
    expect((await run(['notes', 'read', 'TCP/IP'])).stdout).toBe('stack');
  });

  it('may be a title for a key that does not reach notes without a folder', async () => {
    const { run, api } = await environment.company();
    await run(['notes', 'write', 'a/Inside', '--text', 'visible']);
    const { data: me } = await api.get('/api/agents/me');
    const grants: Schema<'Agent'>['grants'] = [{ folder: 'a', scope: 'read', mode: 'direct' }];
    await createClient({ baseUrl: environment.baseUrl }).patch('/api/agents/{agentId}', {
      params: { path: { agentId: me.id } },
      body: { grants },
    });
    // Changed grants hold within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await run(['notes', 'read', 'Inside'])).stdout).toBe('visible');
    expect((await run(['notes', 'read', 'a/Other'])).code).toBe(3);
    expect((await run(['notes', 'read', 'x/Other'])).stderr).toContain('not granted');
  });
});

describe('an empty name, as of a variable that is not set', () => {
  const commands = [
    ['read'],
    ['delete'],
    ['restore'],
    ['history'],
    ['blame'],
    ['links'],
    ['append', '--text', 'x'],
    ['append', '--text', 'x', '--create'],
    ['edit', '--prepend', '--text', 'x'],
    ['write', '--text', 'x'],
    ['write', '--text', 'x', '--revision', '1'],
  ];

  it('is refused by every command, and the note without a title stays as it is', async () => {
    const { run, api } = await environment.company();
    for (const folder of ['', 'log']) {
      await api.post('/api/notes', { body: { folder, content: 'untitled' } });
    }
    for (const [command = '', ...options] of commands) {
      for (const [name, message] of [
        ['', `an argument is empty: commonplace notes ${command} `],
        ['log/', 'the note has no name: give it as folder/title, not as "log/"'],
      ] as const) {
        const { code, stdout, stderr } = await run(['notes', command, name, ...options]);
        expect([command, code, stdout, stderr]).toEqual([
          command,
          2,
          '',
          expect.stringContaining(message),
        ]);
      }
    }
    const { data } = await api.get('/api/notes');
    expect(data.items.map(({ revision }) => revision)).toEqual([1, 1]);
  });
});
