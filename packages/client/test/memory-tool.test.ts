import { describe, expect, it } from '@jest/globals';
import { createClient, createMemoryTool, type MemoryCommand } from '../src/index.ts';

type Body = Readonly<Record<string, unknown>>;

/** A memory over a server with these responses by method and path, and what was sent. */
const memoryOver = (responses: Readonly<Record<string, Body>>) => {
  const sent: { readonly call: string; readonly body: unknown }[] = [];
  const api = createClient({
    baseUrl: 'http://commonplace.test',
    retry: { attempts: 1 },
    fetch: async (request) => {
      const call = `${request.method} ${new URL(request.url).pathname}`;
      const text = await request.text();
      sent.push({ call, body: text === '' ? null : JSON.parse(text) });
      const body = responses[call];
      return body
        ? Response.json(body)
        : Response.json({ code: 'not_found', detail: 'There is none.' }, { status: 404 });
    },
  });
  return { api, memory: createMemoryTool(api), sent };
};

const note = {
  id: 'n1',
  title: 'x',
  folder: 'memories',
  content: 'one\n',
  revision: 1,
  tags: [],
  pinned: false,
  archived: false,
  properties: {},
};

describe('the memory tool', () => {
  it('creates no file without its text, which a model may leave out', async () => {
    const { memory, sent } = memoryOver({ 'POST /api/notes': note });
    const command = { command: 'create', path: '/memories/x' } as MemoryCommand;
    expect(await memory.run(command)).toEqual({
      content: 'Error: `file_text` is missing; it is "" for an empty file',
      is_error: true,
    });
    expect(sent).toEqual([]);
    expect(await memory.create({ path: '/memories/x', file_text: '' })).toContain('created');
  });

  it.each([0, 1])('changes nothing by inserting no text at line %i', async (line) => {
    const { memory, sent } = memoryOver({
      'GET /api/notes/by-path': note,
      'PUT /api/notes/n1': note,
    });
    await memory.insert({ path: '/memories/x', insert_line: line, insert_text: '' });
    expect(sent.at(-1)).toMatchObject({ body: { content: 'one\n' } });
  });

  it('has a folder of its own: an empty one is refused', () => {
    const { api } = memoryOver({});
    expect(() => createMemoryTool(api, { folder: '' })).toThrow(
      'The folder of the memory is empty',
    );
  });
});

describe('the deletion of a directory by a name that a file may have had', () => {
  const path = '/memories/x';
  const remove = async (former: readonly Body[], rest: Body = {}) => {
    const { memory, sent } = memoryOver({
      'GET /api/notes': { items: [{ ...note, folder: 'memories/x' }], nextCursor: null },
      'GET /api/notes/by-title': {
        items: [],
        former,
        formerHasMore: false,
        isComplete: true,
        ...rest,
      },
      'DELETE /api/notes/n1': {},
    });
    const { content } = await memory.run({ command: 'delete', path });
    return { content, isDeleted: sent.some(({ call }) => call.startsWith('DELETE')) };
  };
  const elsewhere = (count: number) =>
    Array.from({ length: count }, () => ({ folder: 'other', deleted: true }));
  const refusal = (how: string) => ({
    content: `Error: The file ${path} ${how} deleted already. To delete the directory of this name, use ${path}/`,
    isDeleted: false,
  });

  it('happens if no deleted file had the name', async () => {
    expect(await remove(elsewhere(20))).toEqual({
      content: `Successfully deleted ${path}`,
      isDeleted: true,
    });
  });

  it('is refused if one had it, or if the API cannot say', async () => {
    expect(await remove([{ folder: 'memories', deleted: true }])).toEqual(refusal('is'));
    expect(await remove([], { isComplete: false })).toEqual(refusal('may be'));
    expect(await remove(elsewhere(1), { formerHasMore: true })).toEqual(refusal('may be'));
    expect(await remove([], { formerHasMore: undefined })).toEqual(refusal('may be'));
  });
});
