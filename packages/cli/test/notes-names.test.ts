import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Schema } from '@commonplace/client';
import { startNotesEnvironment, type NotesEnvironment } from './notes-environment.ts';

let environment: NotesEnvironment;
beforeAll(async () => {
  environment = await startNotesEnvironment();
}, 120_000);
afterAll(() => environment.stop());

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
