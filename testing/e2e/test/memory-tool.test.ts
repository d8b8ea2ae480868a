import { randomUUID } from 'node:crypto';
import { createClient, createMemoryTool, type MemoryTool } from '@commonplace/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

let system: TestSystem;
let key: string;
beforeAll(async () => {
  system = await startTestSystem('local_trusted');
  const { baseUrl } = system;
  ({ key } = await makeCompany(system.as({}), 'Rememberers', { baseUrl, withInvite: false }));
}, 120_000);
afterAll(() => system.stop());

let folders = 0;

/** A memory of its own for every test. */
const newMemory = (): { memory: MemoryTool; api: ReturnType<typeof createClient> } => {
  folders += 1;
  const api = createClient({ baseUrl: system.baseUrl, credential: key });
  return { memory: createMemoryTool(api, { folder: `memories-${folders}` }), api };
};

const done = (content: string) => ({ content, is_error: false });
const refused = (content: string) => ({ content, is_error: true });

describe('the memory tool', () => {
  it('creates a file once or names the field that is wrong, and shows its lines with numbers, whole or in part', async () => {
    const { memory } = newMemory();
    const path = '/memories/projects/notes.txt';
    const create = {
      command: 'create',
      path,
      file_text: 'Hello World\nThis is line two\n',
    } as const;
    expect(await memory.run(create)).toEqual(done(`File created successfully at: ${path}`));
    expect(await memory.run(create)).toEqual(refused(`Error: File ${path} already exists`));
    expect(await memory.run({ command: 'view', path })).toEqual(
      done(
        `Here's the content of ${path} with line numbers:\n     1\tHello World\n     2\tThis is line two`,
      ),
    );
    const unnamed = { ...create, path: `/memories/${'x'.repeat(600)}.txt` };
    const { content, is_error: isError } = await memory.run(unnamed);
    expect([isError, content]).toEqual([true, expect.stringMatching(/^Error: [^]*\n\/title .+/)]);
    expect(await memory.run({ command: 'view', path, view_range: [2, -1] })).toEqual(
      done(`Here's the content of ${path} with line numbers:\n     2\tThis is line two`),
    );
  });

  it('lists a directory two levels deep with sizes, also the empty root', async () => {
    const { memory } = newMemory();
    const header = (path: string) =>
      `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;
    expect(await memory.run({ command: 'view', path: '/memories' })).toEqual(
      done(`${header('/memories')}\n0\t/memories`),
    );
    await memory.create({ path: '/memories/a.txt', file_text: 'x'.repeat(2_048) });
    await memory.create({ path: '/memories/b/c.txt', file_text: 'xy' });
    await memory.create({ path: '/memories/b/d/e.txt', file_text: 'xyz' });
    expect(await memory.view({ path: '/memories/' })).toBe(
      [
        header('/memories'),
        '2.0K\t/memories',
        '2.0K\t/memories/a.txt',
        '5\t/memories/b',
        '2\t/memories/b/c.txt',
        '3\t/memories/b/d',
      ].join('\n'),
    );
    expect(await memory.run({ command: 'view', path: '/memories/none' })).toEqual(
      refused('The path /memories/none does not exist. Please provide a valid path.'),
    );
  });

  it('says where a directory has more files than it lists', async () => {
    const { memory, api } = newMemory();
    const folder = `memories-${folders}`;
    const put = (title: string) => ({
      op: 'put' as const,
      mutationId: randomUUID(),
      id: randomUUID(),
      baseRevision: null,
      note: { title, folder, content: '' },
    });
    const push = async (count: number) => {
      const changes = Array.from({ length: count }, (_, index) => put(`${count}-${index}`));
      await api.post('/api/sync', { body: { clientId: randomUUID(), cursor: null, changes } });
    };
    const isCut = async (): Promise<boolean> =>
      (await memory.view({ path: '/memories' })).includes('Only the 1000 files written last');
    await push(500);
    await push(499);
    await push(1);
    expect(await isCut()).toBe(false);
    await push(2);
    expect(await isCut()).toBe(true);
  });

  it('replaces a text that occurs once, and names the lines of one that does not', async () => {
    const { memory } = newMemory();
    const path = '/memories/preferences.txt';
    await memory.create({ path, file_text: 'colour: blue\nfood: rice\nfood: rice\n' });
    const replace = (old_str: string, at = path) =>
      memory.run({ command: 'str_replace', path: at, old_str, new_str: 'colour: green' });
    expect(await replace('colour: blue')).toEqual(
      done(
        'The memory file has been edited.\n     1\tcolour: green\n     2\tfood: rice\n     3\tfood: rice',
      ),
    );
    expect(await replace('colour: blue')).toEqual(
      refused(
        `No replacement was performed, old_str \`colour: blue\` did not appear verbatim in ${path}.`,
      ),
    );
    expect(await replace('food: rice')).toEqual(
      refused(
        'No replacement was performed. Multiple occurrences of old_str `food: rice` in lines: 2, 3. Please ensure it is unique',
      ),
    );
    expect(await replace('x', '/memories/none.txt')).toEqual(
      refused('Error: The path /memories/none.txt does not exist. Please provide a valid path.'),
    );
  });

  it('inserts lines below a line of the file, and keeps the fields of the note', async () => {
    const { memory, api } = newMemory();
    const path = '/memories/todo.txt';
    await memory.create({ path, file_text: 'one\nthree\n' });
    const query = { folder: `memories-${folders}`, title: 'todo.txt' };
    const { data: note } = await api.get('/api/notes/by-path', { params: { query } });
    await api.patch('/api/notes/{id}', {
      params: { path: { id: note.id } },
      body: { edits: [{ op: 'set', pinned: true, tags: { add: ['kept'], remove: [] } }] },
    });
    const insert = (insert_line: number, insert_text: string) =>
      memory.run({ command: 'insert', path, insert_line, insert_text });
    expect(await insert(1, 'two\n')).toEqual(done(`The file ${path} has been edited.`));
    await insert(3, 'four\n');
    await insert(0, 'zero');
    const { data: after } = await api.get('/api/notes/by-path', { params: { query } });
    expect(after).toMatchObject({
      content: 'zero\none\ntwo\nthree\nfour\n',
      pinned: true,
      tags: ['kept'],
    });
    expect(await insert(9, 'x')).toEqual(
      refused(
        'Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 5]',
      ),
    );
  });

  it('names some lines of a text that occurs thousands of times', async () => {
    const { memory } = newMemory();
    const path = '/memories/long';
    await memory.create({ path, file_text: 'a b c\n'.repeat(20_000) });
    const { content } = await memory.run({
      command: 'str_replace',
      path,
      old_str: ' ',
      new_str: '',
    });
    expect(content).toContain('in lines: 1, 1, 2, 2, 3,');
    expect(content).toContain('10, 10 and more. Please');
  });

  it('does not delete a directory when the deletion of the file of its name is repeated', async () => {
    const { memory } = newMemory();
    await memory.create({ path: '/memories/x', file_text: 'file' });
    await memory.create({ path: '/memories/x/y', file_text: 'kept' });
    const command = { command: 'delete', path: '/memories/x' } as const;
    expect(await memory.run(command)).toEqual(done('Successfully deleted /memories/x'));
    expect(await memory.run(command)).toEqual(
      refused(
        'Error: The file /memories/x is deleted already. To delete the directory of this name, use /memories/x/',
      ),
    );
    expect(await memory.run({ ...command, path: '/memories/x/' })).toEqual(
      done('Successfully deleted /memories/x'),
    );
  });

  it('renames and deletes files and whole directories, never onto another', async () => {
    const { memory } = newMemory();
    const run = memory.run;
    await memory.create({ path: '/memories/a/draft.txt', file_text: '1' });
    await memory.create({ path: '/memories/a/b/deep.txt', file_text: '2' });
    await memory.create({ path: '/memories/taken.txt', file_text: '3' });
    const rename = (old_path: string, new_path: string) =>
      run({ command: 'rename', old_path, new_path });
    expect(await rename('/memories/a/draft.txt', '/memories/a/final.txt')).toEqual(
      done('Successfully renamed /memories/a/draft.txt to /memories/a/final.txt'),
    );
    expect(await rename('/memories/a', '/memories/z')).toMatchObject({ is_error: false });
    expect(await memory.view({ path: '/memories/z/b/deep.txt' })).toContain('\t2');
    expect(await rename('/memories/z/final.txt', '/memories/taken.txt')).toEqual(
      refused('Error: The destination /memories/taken.txt already exists'),
    );
    expect(await rename('/memories/none', '/memories/x')).toEqual(
      refused('Error: The path /memories/none does not exist'),
    );
    expect(await run({ command: 'delete', path: '/memories/z' })).toEqual(
      done('Successfully deleted /memories/z'),
    );
    expect(await run({ command: 'delete', path: '/memories/z' })).toEqual(
      refused('Error: The path /memories/z does not exist'),
    );
    expect(await run({ command: 'delete', path: '/memories' })).toMatchObject({ is_error: true });
  });

  it('gives a path to one of several agents that rename to it at once, or to none', async () => {
    const { memory } = newMemory();
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      await memory.create({ path: `/memories/${name}.txt`, file_text: name });
    }
    const results = await Promise.all(
      names.map((name) =>
        memory.run({
          command: 'rename',
          old_path: `/memories/${name}.txt`,
          new_path: '/memories/one.txt',
        }),
      ),
    );
    const listing = await memory.view({ path: '/memories' });
    const kept = names.filter((name) => listing.includes(`/memories/${name}.txt`));
    const refusals = results.filter(({ is_error }) => is_error);
    expect(refusals.length).toBe(kept.length);
    expect(kept.length).toBeGreaterThanOrEqual(names.length - 1);
    expect(listing.match(/one\.txt/g)?.length ?? 0).toBe(names.length - kept.length);
  });

  it.each([
    '/etc/passwd',
    '/memories/../notes',
    '/memoriesx',
    '/memories/%2e%2e/x',
    '/memories//x',
  ])('refuses %s, which is outside the memory', async (path) => {
    const { memory } = newMemory();
    expect(await memory.run({ command: 'view', path })).toMatchObject({ is_error: true });
  });

  it('keeps all replacements and insertions of agents that share it', async () => {
    const { memory } = newMemory();
    const path = '/memories/shared.txt';
    const names = ['a', 'b', 'c', 'd'];
    await memory.create({ path, file_text: names.map((name) => `${name}: ?\n`).join('') });
    const results = await Promise.all([
      ...names.map((name) =>
        memory.run({
          command: 'str_replace',
          path,
          old_str: `${name}: ?`,
          new_str: `${name}: done`,
        }),
      ),
      memory.run({ command: 'insert', path, insert_line: 0, insert_text: 'status\n' }),
    ]);
    expect(results.filter(({ is_error }) => is_error)).toEqual([]);
    expect(await memory.view({ path })).toBe(
      [
        `Here's the content of ${path} with line numbers:`,
        '     1\tstatus',
        ...names.map((name, index) => `     ${index + 2}\t${name}: done`),
      ].join('\n'),
    );
  });
});
