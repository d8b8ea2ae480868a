import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { identityHeaders } from '@commonplace/testkit';
import { anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { beyondLimits } from './beyond-limits.ts';
import { callTool, startMcpService, type McpService } from './mcp-client.ts';

let world: NotesWorld;
let service: McpService;
let client: Client;
let agent: ReturnType<typeof anAgent>;
beforeAll(async () => {
  world = await createNotesWorld();
  service = await startMcpService(world.app());
  agent = anAgent();
  client = await service.connect(agent);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

type Args = Readonly<Record<string, unknown>>;

const create = async (note: Args): Promise<string> => {
  const { data } = await callTool(client, 'write_note', note);
  return String(data['id']);
};

const stored = async (id: string) => (await world.as(agent).get(`/api/notes/${id}`)).body;

const failure = async (name: string, args: Args): Promise<string> => {
  const { isError, texts } = await callTool(client, name, args);
  expect([name, args, isError]).toEqual([name, args, true]);
  return texts.join('\n');
};

describe('nothing in a call is ignored:', () => {
  it('edit_note appends and prepends in one call', async () => {
    const id = await create({ title: 'Both', content: 'b\n' });
    await callTool(client, 'edit_note', { id, append: 'c\n', prepend: 'a\n' });
    expect(await stored(id)).toMatchObject({ content: 'a\nb\nc\n', revision: 2 });
  });

  it('edit_note sets the title that stands beside the id, with the other fields', async () => {
    const id = await create({ title: 'Old', content: 'x' });
    await callTool(client, 'edit_note', { id, op: 'set', title: 'New', pinned: true });
    expect(await stored(id)).toMatchObject({ title: 'New', pinned: true });
  });

  it('a number and a flag in an edit may be texts, as at the top', async () => {
    const id = await create({ title: 'Texts', content: 'a a' });
    const edits = [
      { op: 'replace', find: 'a', with: 'b', count: '2' },
      { op: 'set', pinned: 'true' },
    ];
    await callTool(client, 'edit_note', { id, edits });
    expect(await stored(id)).toMatchObject({ content: 'b b', pinned: true });
  });

  it.each<[string, Args, string]>([
    ['edit_note', { path: 'a', title: 'b', append: 'x' }, 'path and title'],
    ['edit_note', { title: 'b', append: 'x', heading: 'Plan' }, 'heading'],
    ['edit_note', { title: 'b', append: 'x', edits: [] }, 'append'],
    ['edit_note', { title: 'b', old_str: 'x', old_text: 'y', new_str: 'z' }, 'old_text'],
    ['edit_note', { title: 'b', edits: [{ op: 'append', text: 'x', find: 'y' }] }, 'find'],
    [
      'edit_note',
      { title: 'b', edits: [{ op: 'set', tags: { add: ['x'], drop: ['y'] } }] },
      'allowed: add, remove',
    ],
    ['edit_note', { title: 'b', edits: [{ op: 'append', txt: 'x' }] }, 'allowed: op, text'],
    ['read_note', { title: 'b', name: 'c' }, 'name'],
    ['read_note', { title: 'b', sections: 'x' }, 'allowed: id, path, title, section,'],
    ['read_note', { title: 'b', sections: null }, 'sections'],
    ['read_note', { title: 'b', section: 'x', fromLine: 1 }, 'fromLine'],
    ['read_note', { title: 'b', lines: '1-2', toLine: 3 }, 'toLine'],
    ['read_note', { title: 'b', fromLine: 3, toLine: 2 }, 'toLine'],
    ['read_note', { title: 'b', toLine: 3, from: 2 }, 'from'],
    ['list_notes', { tree: true, folder: 'x', tags: ['y'] }, 'tags'],
    ['list_notes', { tree: true, limit: 3 }, 'it takes folder'],
    ['note_history', { title: 'b', view: 'diff', limit: 3 }, 'it takes from and to'],
    ['note_history', { title: 'b', from: 1 }, 'from'],
    ['write_note', { path: 'a/b', title: 'c' }, 'title'],
    ['write_note', { title: 'c', archived: true }, 'archived'],
    ['recent_changes', { since: '5.zzzzzzzzzzz' }, 'since'],
    ['whoami', { verbose: true }, 'allowed: none'],
  ])('%s %j is an error that names it', async (name, args, named) => {
    const text = await failure(name, args);
    expect(text).toMatch(/^validation_failed: /);
    expect(text).toContain(named);
  });

  it.each<[string, Args]>([
    ['recall', { task: 'x', topic: 'y' }],
    ['journal', { task: 'x' }],
  ])('the prompt %s with %j is an error', async (name, args) => {
    const sent = args as Record<string, string>;
    await expect(client.getPrompt({ name, arguments: sent })).rejects.toThrow('allowed: ');
  });
});

describe('a call without the scope', () => {
  it('is refused before its arguments are read', async () => {
    const reader = await service.connect({ ...anAgent(), scopes: ['notes:write'] });
    const { texts } = await callTool(reader, 'recent_changes', { since: 'nonsense', x: 1 });
    expect(texts[0]).toContain('insufficient_scope');
  });
});

describe('texts have the limits of the API', () => {
  const long = 'x'.repeat(5_000);
  it.each<[string, Args]>([
    ['read_note', { title: 'b', section: ' '.repeat(64_000) }],
    ['read_note', { id: long }],
    ['read_note', { path: long }],
    ['read_note', { title: long }],
    ['get_context', { query: long }],
    ['search_notes', { query: long }],
    ['get_context', { since: long }],
    ['get_context', { folders: [long] }],
    ['get_context', { tags: [long] }],
    ['search_notes', { query: 'x', folder: `a${'/'.repeat(100_000)}b` }],
    ['search_notes', { query: 'x', tags: Array.from({ length: 65 }, (_, each) => `t${each}`) }],
    ['list_notes', { cursor: long }],
    ['write_note', { title: long }],
    ['write_note', { title: 'x', tags: [long] }],
    ['edit_note', { title: 'b', append: 'x', dedupeKey: long }],
    ['edit_note', { title: 'b', edits: [{ op: 'set', title: long }] }],
    ['recent_changes', { since: long }],
    ['recent_changes', { author: long }],
    ['note_history', { title: 'b', cursor: long }],
  ])('%s', async (name, args) => {
    expect(await failure(name, args)).toMatch(/^validation_failed: /);
  });
});

it('every text and list that a tool takes has a limit, at any depth', async () => {
  const { tools } = await client.listTools();
  const calls = tools.flatMap(({ name, inputSchema }) =>
    beyondLimits(inputSchema).map(({ path, value }) => ({ name, path, args: value as Args })),
  );
  expect(calls.length).toBeGreaterThan(50);
  for (const { name, path, args } of calls) {
    const { isError, texts } = await callTool(client, name, args);
    const refused = isError && /^(validation_failed|payload_too_large): /.test(texts.join('\n'));
    expect([name, path, refused, texts.join('\n').slice(0, 200)]).toEqual([
      name,
      path,
      true,
      expect.any(String),
    ]);
  }
});

describe('a repeated call with the same key', () => {
  /** Calls a tool with a key, as a client does that repeats a request. */
  const keyed = async (key: string, name: string, args: Args) => {
    const response = await fetch(service.url, {
      method: 'POST',
      headers: {
        ...identityHeaders(agent),
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
    const { result } = (await response.json()) as {
      readonly result: { readonly structuredContent?: Args; readonly content: readonly Args[] };
    };
    return result.structuredContent ?? result.content[0]?.['text'];
  };

  it('of an edit that moves the note has its first result, whatever is at the path now', async () => {
    const id = await create({ path: 'from/Moved', content: 'a\n' });
    const args = {
      path: 'from/Moved',
      edits: [
        { op: 'append', text: 'b\n' },
        { op: 'set', folder: 'to' },
      ],
    };
    // A retry cannot name the lines any more.
    const { lines, ...first } = (await keyed('move', 'edit_note', args)) as Args;
    expect(lines).toEqual(['2: +1 -0']);
    const other = await create({ path: 'from/Moved', content: 'other\n' });
    await callTool(client, 'edit_note', { id, append: 'c\n' });
    expect(await keyed('move', 'edit_note', args)).toEqual(first);
    expect([await stored(id), await stored(other)]).toMatchObject([
      { content: 'a\nb\nc\n', revision: 3 },
      { content: 'other\n', revision: 1 },
    ]);
    expect(await keyed('move', 'edit_note', { ...args, path: 'from/Other' })).toContain(
      'mutation_id_reused',
    );
  });

  it('of a rename by id has its first result after a deletion', async () => {
    const id = await create({ title: 'Renamed once' });
    const edits = [{ op: 'set', title: 'Renamed' }];
    const rename = () => callTool(client, 'edit_note', { id, edits, dedupeKey: 'rename' });
    const first = await rename();
    await callTool(client, 'delete_note', { id, revision: 2 });
    const { isError, data } = await rename();
    expect([isError, data['revision']]).toEqual([false, first.data['revision']]);
  });

  it('of a deletion by path deletes no note that came after it', async () => {
    await create({ path: 'bin/Once' });
    const args = { path: 'bin/Once', revision: 1 };
    const first = await keyed('bin', 'delete_note', args);
    const other = await create({ path: 'bin/Once' });
    expect(await keyed('bin', 'delete_note', args)).toEqual(first);
    expect(await stored(other)).toMatchObject({ revision: 1 });
  });

  it('of a replacement and of a restore has its first result after an edit of another', async () => {
    const id = await create({ title: 'Replaced', content: 'a' });
    const replacement = { id, content: 'b', revision: 1 };
    const replaced = await keyed('put', 'write_note', replacement);
    const restored = await keyed('restore', 'restore_note', { id, revision: 1 });
    const unchanged = await keyed('again', 'restore_note', { id, revision: 1 });
    expect([restored, unchanged]).toMatchObject([{ restored: true }, { restored: false }]);
    await callTool(client, 'edit_note', { id, append: 'c' });
    expect(await keyed('put', 'write_note', replacement)).toEqual(replaced);
    expect(await keyed('restore', 'restore_note', { id, revision: 1 })).toEqual(restored);
    expect(await keyed('again', 'restore_note', { id, revision: 1 })).toEqual(unchanged);
    expect(await stored(id)).toMatchObject({ content: 'ac', revision: 4 });
    expect(replaced).toMatchObject({ revision: 2, created: false });
  });

  it('over HTTP: PUT, DELETE and restore have their first results, too', async () => {
    const id = await create({ title: 'Over HTTP', content: 'a' });
    const http = world.as(agent);
    const put = () =>
      http.put(`/api/notes/${id}`).set('Idempotency-Key', 'k').set('If-Match', '"1"').send({
        content: 'b',
      });
    const restore = () =>
      http.post(`/api/notes/${id}/restore`).set('Idempotency-Key', 'k').send({ revision: 1 });
    const remove = () => http.delete(`/api/notes/${id}`).set('Idempotency-Key', 'k');
    expect([(await put()).body.revision, (await restore()).body.revision]).toEqual([2, 3]);
    expect((await remove()).status).toBe(204);
    await http.post(`/api/notes/${id}/restore`).send({});
    const again = [await put(), await restore()].map(({ status, body }) => [status, body.revision]);
    expect(again).toEqual([
      [200, 2],
      [200, 3],
    ]);
    expect((await remove()).status).toBe(204);
    expect(await stored(id)).toMatchObject({ content: 'a', revision: 5 });
    const other = await http.put(`/api/notes/${id}`).set('Idempotency-Key', 'k').send({});
    expect([other.status, other.body.code]).toEqual([409, 'mutation_id_reused']);
  });
});

describe('a title', () => {
  it('is found among any number of notes with its words, and of symbols only', async () => {
    for (let index = 0; index < 60; index += 1) {
      await create({ title: `Plan ${index}`, folder: 'plans' });
    }
    const id = await create({ title: 'Plan', folder: 'deep/down', content: 'the one' });
    const symbols = await create({ title: '+++', folder: 'signs' });
    expect((await callTool(client, 'read_note', { title: 'plan' })).texts[1]).toBe('the one');
    expect((await callTool(client, 'read_note', { title: '+++' })).texts[0]).toContain(symbols);
    await create({ title: 'Plan', folder: 'elsewhere' });
    const text = await failure('edit_note', { title: 'Plan', append: 'x' });
    expect(text).toMatch(/^ambiguous: /);
    expect(text).toContain(id);
  });

  it('that a note had says where the note went, and so does a path', async () => {
    const id = await create({ path: 'places/Before' });
    await callTool(client, 'edit_note', { id, edits: [{ op: 'set', title: 'After' }] });
    expect(await failure('read_note', { title: 'before' })).toContain(
      `It was renamed: places/After (${id})`,
    );
    await callTool(client, 'edit_note', { id, edits: [{ op: 'set', folder: 'moved' }] });
    expect(await failure('read_note', { path: 'places/After' })).toContain(`moved/After (${id})`);
    await callTool(client, 'delete_note', { id, revision: 3 });
    expect(await failure('read_note', { title: 'After' })).toMatch(/^note_deleted: .*moved\/After/);
  });

  it('means the note and not its conflict copies, which say what they are', async () => {
    const note = { title: 'Disputed', folder: 'shared', content: 'ours' };
    const id = await create(note);
    await callTool(client, 'edit_note', { id, append: '!' });
    const sync = syncClient(world, agent);
    const { results } = await sync.push(
      putOf({ ...note, content: 'theirs' }, { id, baseRevision: 1 }),
    );
    const copyId = String(results[0]?.conflictNoteId);
    const listed = await callTool(client, 'list_notes', { folder: 'shared' });
    expect(listed.texts[0]).toMatch(new RegExp(`^${copyId} .* · conflict copy of ${id}$`, 'm'));
    expect(listed.texts[0]).toMatch(new RegExp(`^${id} .* · conflict copies: 1$`, 'm'));
    for (const name of [{ path: 'shared/Disputed' }, { title: 'disputed' }]) {
      const edited = await callTool(client, 'edit_note', { ...name, append: '.' });
      expect(edited.data['id']).toBe(id);
    }
    await callTool(client, 'edit_note', { id: copyId, append: ', newest' });
    expect(await create({ ...note, content: 'again' })).toBe(id);
    const post = (ifTitleExists: string) =>
      world
        .as(agent)
        .post('/api/notes')
        .send({ title: 'disputed', folder: 'shared', ifTitleExists });
    expect((await post('return').expect(200)).body.id).toBe(id);
    expect((await post('fail').expect(409)).body.existing).toBe(id);
    await create({ title: 'DISPUTED', folder: 'elsewhere' });
    expect(await failure('read_note', { title: 'disputed' })).toContain(`"conflictOf":"${id}"`);
  });

  it('over HTTP: the notes that have it, and those that had it', async () => {
    const first = await create({ title: 'Two  names', folder: 'a' });
    const second = await create({ title: 'other', folder: 'b' });
    await callTool(client, 'edit_note', { id: first, edits: [{ op: 'set', title: 'renamed' }] });
    await callTool(client, 'edit_note', { id: second, edits: [{ op: 'set', title: 'TWO names' }] });
    const { body } = await world.as(agent).get('/api/notes/by-title?title=two%20names').expect(200);
    expect(body).toMatchObject({
      items: [{ id: second, folder: 'b', title: 'TWO names', revision: 2 }],
      former: [{ id: first, folder: 'a', title: 'renamed', revision: 2, deleted: false }],
      formerHasMore: false,
      isComplete: true,
    });
  });

  it('over HTTP: the response says that there are more that had it, also if some have it again', async () => {
    const { push } = syncClient(world, agent);
    const notes = Array.from({ length: 21 }, (_, index) => putOf({ title: `Crowd ${index}` }));
    await push(...notes);
    const rename = (title: (index: number) => string, baseRevision: number) =>
      push(...notes.map(({ id }, index) => putOf({ title: title(index) }, { id, baseRevision })));
    const read = async () =>
      (await world.as(agent).get('/api/notes/by-title?title=crowded').expect(200)).body as {
        items: unknown[];
        former: unknown[];
        formerHasMore: boolean;
      };
    await rename((index) => (index < 20 ? 'Crowded' : 'Alone'), 1);
    await rename((index) => `Left ${index}`, 2);
    expect(await read()).toMatchObject({ items: [], former: { length: 20 }, formerHasMore: false });
    await rename(() => 'Crowded', 3);
    await rename((index) => (index < 2 ? 'Crowded' : `Gone ${index}`), 4);
    const { items, former, formerHasMore } = await read();
    expect([items.length, former.length, formerHasMore]).toEqual([2, 19, true]);
  });
});
