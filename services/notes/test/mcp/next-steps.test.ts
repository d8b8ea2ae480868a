import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { agentCaller } from '@commonplace/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { lockIndex, releaseRows } from '../lock-rows.ts';
import { callTool as call, startMcpService, type McpService } from './mcp-client.ts';

let world: NotesWorld;
let service: McpService;
beforeAll(async () => {
  world = await createNotesWorld({ searchWaitMs: 5_000 });
  service = await startMcpService(world.app());
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const create = async (client: Client, note: Readonly<Record<string, unknown>>) =>
  String((await call(client, 'write_note', note)).data['id']);

describe('a call that is wrong in a detail', () => {
  it('says which step helps', async () => {
    const client = await service.connect(anAgent());
    const id = await create(client, { title: 'Plan', content: 'ice, ice\n' });
    const next = async (name: string, args: Readonly<Record<string, unknown>>) =>
      (await call(client, name, args)).texts[0];
    const edits = [{ op: 'replace', find: 'ice', with: 'fog' }];
    expect(await next('edit_note', { id, edits })).toMatch(
      /\nNext: Take a longer find .* count 2 /,
    );
    expect(
      await next('edit_note', { id, op: 'append_to_section', heading: 'None', text: 'x' }),
    ).toMatch(/\nNext: Read the note with read_note; copy the text or heading/);
    expect(await next('read_note', { id, revision: 9 })).toMatch(/\nNext: .*note_history/);
    expect(await next('write_note', { title: 'New', content: 'x', revision: 4 })).toMatch(
      /\nNext: .*write_note without revision creates/,
    );
    expect(await next('read_note', { id, fromLine: 90 })).toContain(
      'shown: nothing: the note ends with line 1',
    );
    for (const [name, time] of [
      ['since', 'yesterday'],
      ['until', '2026-01-31T09:30'],
      ['since', '2026-13-01'],
    ] as const) {
      expect(await next('search_notes', { query: 'ice', [name]: time })).toContain(
        `validation_failed: ${name} must be a day or a time in UTC`,
      );
    }
    for (const since of ['2026-01-31', '2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z']) {
      expect(await next('search_notes', { query: 'ice', since })).toContain(id);
    }
  });

  it('and updates too many links says what else to do', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const id = await create(client, { title: 'Hub', content: 'x' });
    const changes = Array.from({ length: 101 }, (_, index) => ({
      mutationId: `l${index}`,
      id: newId(),
      op: 'put',
      baseRevision: null,
      note: { title: `Link ${index}`, content: '[[Hub]]' },
    }));
    await world.as(agent).post('/api/sync').send({ clientId: 'laptop', pull: 'none', changes });
    const rename = { id, op: 'set', title: 'Centre', updateLinks: true };
    expect((await call(client, 'edit_note', rename)).texts[0]).toMatch(
      /rename it without updateLinks\.[^]*\nNext: Change the edits as this says/,
    );
  });
});

describe('recent_changes', () => {
  it('does not say that there are none where an older page may have some', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const colleague = await service.connect(agentCaller({ companyId: agent.companyId }));
    await create(colleague, { title: 'Theirs' });
    // More changes of the caller than a page looks at.
    for (let batch = 0; batch < 5; batch += 1) {
      const changes = Array.from({ length: 500 }, (_, index) => ({
        mutationId: `m${batch}-${index}`,
        id: newId(),
        op: 'put',
        baseRevision: null,
        note: { title: `Own ${batch} ${index}` },
      }));
      const body = { clientId: 'laptop', pull: 'none', changes };
      await world.as(agent).post('/api/sync').send(body).expect(200);
    }
    const first = (await call(client, 'recent_changes')).texts[0] ?? '';
    expect(first).toMatch(/^No changes on this page; older ones may follow\.\nMore: /);
    const cursor = /cursor "([^"]+)"/.exec(first)?.[1];
    expect((await call(client, 'recent_changes', { cursor })).texts[0]).toContain('Theirs');
  });
});

describe('a search', () => {
  it('names the lines that read_note reads, also after returns without line feeds', async () => {
    const client = await service.connect(anAgent());
    const id = await create(client, { title: 'Log', content: '10%\r20%\r30%\nwalrus\r\nend\n' });
    const found = (await call(client, 'search_notes', { query: 'walrus' })).texts[0];
    expect(found).toMatch(/^ +2-3: walrus end/m);
    const { texts } = await call(client, 'read_note', { id, lines: '2-3' });
    expect(texts[1]).toBe('walrus\r\nend\n');
    expect(texts[0]).toContain('shown: lines 2 to 3 of 3');
  });

  it('says that notes are still being indexed, with and without a result', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const search = async (query: string) =>
      (await call(client, 'search_notes', { query })).texts[0];
    await create(client, { title: 'Indexed', content: 'dodo' });
    expect(await search('dodo')).not.toContain('indexed.');
    const holder = await lockIndex(world, agent.companyId);
    await create(client, { title: 'Pending', content: 'dodo auk' });
    const said =
      /\nNotes may be missing: some are still being indexed\. Search again in a minute\.$/;
    expect(await search('dodo')).toMatch(said);
    expect(await search('auk')).toMatch(said);
    await releaseRows(holder);
  });
});

describe('a name that two notes have had', () => {
  it('and a revision of both do not change the later one, which nobody may have read', async () => {
    const client = await service.connect(anAgent());
    const read = await create(client, { path: 'todo/Today', content: 'read\n' });
    await call(client, 'edit_note', { id: read, op: 'set', folder: 'archive' });
    const later = await create(client, { path: 'todo/Today', content: 'later\n' });
    const name = { path: 'todo/Today', revision: 1 };
    const edit = { ...name, op: 'set', pinned: true };
    const replacement = { ...name, content: 'of the first' };
    for (const [tool, args] of [
      ['delete_note', name],
      ['edit_note', edit],
      ['write_note', replacement],
    ] as const) {
      const { isError, texts } = await call(client, tool, args);
      expect([tool, isError, texts[0]]).toEqual([
        tool,
        true,
        expect.stringMatching(/^ambiguous: Another note had this name at revision 1/),
      ]);
      expect(texts[0]).toContain(read);
      expect(texts[0]).toContain(later);
    }
    expect((await call(client, 'read_note', { id: later })).texts[1]).toBe('later\n');
    expect((await call(client, 'delete_note', { id: later, revision: 1 })).data).toMatchObject({
      deleted: true,
    });
  });

  it('changes the note that has it at a revision that the other never had there', async () => {
    const client = await service.connect(anAgent());
    const former = await create(client, { path: 'log/Day', content: 'a\n' });
    await call(client, 'edit_note', { id: former, op: 'set', title: 'Day of yesterday' });
    const id = await create(client, { path: 'log/Day', content: 'b\n' });
    await call(client, 'edit_note', { id, append: 'c\n' });
    const { data } = await call(client, 'delete_note', { path: 'log/Day', revision: 2 });
    expect(data).toEqual({ id, deleted: true });
  });

  it('by a path that ends with .md means neither of two notes', async () => {
    const client = await service.connect(anAgent());
    const id = await create(client, { path: 'docs/readme.md', content: 'one\n' });
    expect((await call(client, 'read_note', { path: 'docs/readme.md' })).texts[0]).toContain(id);
    const other = await create(client, { folder: 'docs', title: 'readme.md', content: 'two\n' });
    const path = 'docs/readme.md';
    for (const [tool, args] of [
      ['read_note', { path }],
      ['write_note', { path, revision: 1, content: 'new' }],
    ] as const) {
      const { isError, texts } = await call(client, tool, args);
      expect([isError, texts[0]]).toEqual([true, expect.stringMatching(/^ambiguous: /)]);
      expect(texts[0]).toContain(id);
      expect(texts[0]).toContain(other);
    }
  });
});
