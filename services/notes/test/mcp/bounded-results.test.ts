import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { createNotesWorld, anAgent, type NotesWorld } from '../notes-world.ts';
import { callTool, startMcpService, type McpService } from './mcp-client.ts';

const bytesMax = 41_000;
const notes = 100;

let world: NotesWorld;
let service: McpService;
let client: Client;
let firstId: string;

/** Every field as long as it may be, in characters of three and four bytes. */
const longNote = (index: number) => ({
  title: `${'漢'.repeat(440)}${'😀'.repeat(50)}${index}`,
  folder: `x${'字'.repeat(400)}/${index}`,
  tags: Array.from({ length: 64 }, (_, each) => `${index}-${each}${'標'.repeat(50)}`),
  pinned: true,
  properties: { long: '😀'.repeat(3_500) },
  content: `x${'😀'.repeat(150)} needle ${'語'.repeat(400)}\n`.repeat(5),
});

beforeAll(async () => {
  world = await createNotesWorld();
  service = await startMcpService(world.app());
  client = await service.connect(anAgent());
  for (let index = 0; index < notes; index += 1) {
    const { data } = await callTool(client, 'write_note', longNote(index));
    firstId ??= String(data['id']);
    if (index >= notes - 10) {
      const append = '1\n'.repeat(4_000);
      await callTool(client, 'edit_note', { id: data['id'], append });
    }
  }
}, 120_000);
afterAll(async () => {
  await service.close();
  await world.close();
});

const resultOf = async (name: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
  const { isError, texts } = await callTool(client, name, args);
  expect([name, isError]).toEqual([name, false]);
  return texts.join('\n');
};

describe('a result about notes whose every field is as long as it may be', () => {
  it.each([
    ['list_notes', { limit: notes }],
    ['list_notes', { tree: true }],
    ['search_notes', { query: 'needle', limit: 30 }],
    ['recent_changes', { includeSelf: true, limit: notes }],
    ['recent_changes', { includeSelf: true, limit: notes, diff: true }],
    ['get_context', { query: 'needle' }],
    ['whoami', {}],
  ])('%s %j is bounded in bytes and holds only whole characters', async (name, args) => {
    const text = await resultOf(name, args);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
    expect(text.isWellFormed()).toBe(true);
  });

  it.each([
    ['words', 'a '.repeat(250)],
    ['emoji', '\u{1f600}'.repeat(100)],
    ['one letter', 'x'],
    ['one script', '語'.repeat(500)],
    ['a quote without end', '"needle'],
  ])('a search for nothing but %s is bounded as well', async (_what, query) => {
    for (const name of ['search_notes', 'get_context']) {
      const text = await resultOf(name, { query });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ['read_note', {}],
    ['note_history', { view: 'diff' }],
    ['note_history', { view: 'blame' }],
    ['note_history', {}],
  ])('%s %j is bounded, too', async (name, args) => {
    const text = await resultOf(name, { ...args, id: firstId });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
    expect(text.isWellFormed()).toBe(true);
  });

  it('lists as many notes as the limit allows', async () => {
    const lines = (await resultOf('list_notes', { limit: notes })).split('\n');
    expect(lines).toHaveLength(notes);
  });

  it('search_notes shows the word that matches, however long its line', async () => {
    const lines = (await resultOf('search_notes', { query: 'needle', limit: 30 })).split('\n');
    const matching = lines.filter((line) => /^ {2}\d+: /.test(line));
    expect(matching).toHaveLength(90);
    expect(matching.filter((line) => !line.includes('needle'))).toEqual([]);
  });

  it('read_note says how to get tags and properties for which there is no room, and gives them', async () => {
    const cut = await resultOf('read_note', { id: firstId });
    const [, from = ''] = /properties: .*… \(cut: call again with from (\d+)/.exec(cut) ?? [];
    const whole = await resultOf('read_note', { id: firstId, from: Number(from) });
    const { title, tags, properties } = longNote(0);
    expect(whole).toContain(`properties: ${JSON.stringify(properties)}\n`);
    expect(tags.filter((tag) => !whole.includes(tag))).toEqual([]);
    expect(whole).toContain(title);
  });

  it('an error about it is bounded, and whole characters', async () => {
    const long = `x${'😀'.repeat(20_000)}`;
    for (const args of [{ id: long }, { title: long }, { [long]: 1 }, { path: `a/${long}` }]) {
      const { isError, texts } = await callTool(client, 'read_note', args);
      const text = texts.join('');
      expect([isError, text.isWellFormed()]).toEqual([true, true]);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_000);
    }
  });

  it('the prompt recall takes a task of any length', async () => {
    const task = `x${'😀'.repeat(400)}`;
    const { messages } = await client.getPrompt({ name: 'recall', arguments: { task } });
    expect(JSON.stringify(messages[0]?.content)).toContain('needle');
  });
});

describe('a note is found', () => {
  it.each([
    ['TCP/IP', 'net', 'net/TCP/IP'],
    ['README.md', 'docs', 'docs/README.md'],
    ['a/b.md', '', 'a/b.md'],
    ['plain', 'docs/x', '/docs/x/plain.md'],
  ])('with the title %j in the folder %j at the path %j', async (title, folder, path) => {
    const { data } = await callTool(client, 'write_note', { title, folder });
    expect(await resultOf('read_note', { path })).toContain(`id: ${String(data['id'])}\n`);
  });

  it('by a title longer than a query may be', async () => {
    const title = 'a rather long title '.repeat(25).trim();
    const { data } = await callTool(client, 'write_note', { title, folder: 'deep/down' });
    expect(await resultOf('read_note', { title })).toContain(`id: ${String(data['id'])}\n`);
  });

  it('by folder and title with a slash, to be replaced', async () => {
    const place = { title: 'UDP/IP', folder: 'net' };
    await callTool(client, 'write_note', { ...place, content: 'old' });
    const replaced = await callTool(client, 'write_note', {
      ...place,
      content: 'new',
      revision: 1,
    });
    expect(replaced.data).toMatchObject({ created: false, revision: 2 });
  });
});

describe('recent_changes in pages', () => {
  it('lose no change that is made between two pages', async () => {
    const agent = anAgent();
    const reader = await service.connect(agent);
    const everyChange = { includeSelf: true, limit: 2 };
    for (const title of ['one', 'two', 'three']) {
      await callTool(reader, 'write_note', { title });
    }
    const first = (await callTool(reader, 'recent_changes', everyChange)).texts[0] ?? '';
    const [, cursor] = /cursor "([^"]+)"/.exec(first) ?? [];
    await callTool(reader, 'write_note', { title: 'between' });
    const second = (await callTool(reader, 'recent_changes', { ...everyChange, cursor })).texts[0];
    expect(second).toContain(' one · rev 1');
    const [, since] = /next: (\S+)/.exec(second ?? '') ?? [];
    const later = (await callTool(reader, 'recent_changes', { ...everyChange, since })).texts[0];
    expect(later).toContain(' between · rev 1');
    expect(later).not.toContain(' three ');
  });
});
