import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectionId, newId, undoId, type Scope } from '@commonplace/contracts';
import type { Client } from '@modelcontextprotocol/client';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { runUndo } from '../../src/undo/run-undo.ts';
import { claimUndo } from '../claim-undo.ts';
import { anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import {
  callTool as call,
  eras,
  startMcpService,
  type McpService,
  type ToolResult as Result,
} from './mcp-client.ts';

let world: NotesWorld;
let service: McpService;
beforeAll(async () => {
  world = await createNotesWorld();
  service = await startMcpService(world.app());
});
afterAll(async () => {
  await service.close();
  await world.close();
});

const create = async (client: Client, note: Readonly<Record<string, unknown>>) => {
  const { data } = await call(client, 'write_note', note);
  return { id: String(data['id']), revision: Number(data['revision']) };
};

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

const readTools = [
  'get_context',
  'search_notes',
  'read_note',
  'list_notes',
  'recent_changes',
  'note_history',
];

describe('the tools', () => {
  it('are eleven in a fixed order, with at most 10 KB of definitions', async () => {
    const { tools } = await (await service.connect(anAgent())).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'get_context',
      'search_notes',
      'read_note',
      'list_notes',
      'write_note',
      'edit_note',
      'delete_note',
      'restore_note',
      'recent_changes',
      'note_history',
      'whoami',
    ]);
    const sizes = tools.map((tool) => [tool.name, JSON.stringify(tool).length] as const);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    const table = sizes.map(([name, size]) => `${name.padEnd(16)}${size}`).join('\n');
    process.stderr.write(`bytes of tool definitions\n${table}\n${'total'.padEnd(16)}${total}\n`);
    expect(total).toBeLessThanOrEqual(10 * 1024);
  });

  it.each<[string, readonly Scope[], readonly string[]]>([
    ['notes:read', ['notes:read'], [...readTools, 'whoami']],
    [
      'notes:write',
      ['notes:write'],
      ['write_note', 'edit_note', 'delete_note', 'restore_note', 'whoami'],
    ],
    ['agents:read', ['agents:read'], ['whoami']],
  ])('with only the scope %s are those it allows', async (_scope, scopes, expected) => {
    const client = await service.connect({ ...anAgent(), scopes });
    expect((await names(client)).toSorted()).toEqual(expected.toSorted());
  });

  it('whoami names the client of a connection', async () => {
    const connection = {
      id: connectionId.parse(newId()),
      client: { name: 'Claude\nOther', host: 'claude.ai' },
    };
    const client = await service.connect({ ...anAgent(), keyId: null, connection });
    const { texts } = await call(client, 'whoami', {});
    expect(texts[0]).toMatch(/credential: connection of Claude.Other \(claude\.ai\)/);
  });

  it('a tool that is not listed refuses, and says which scope is missing', async () => {
    const client = await service.connect({ ...anAgent(), scopes: ['notes:read'] });
    const { isError, texts } = await call(client, 'write_note', { title: 'x' });
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining('insufficient_scope')]);
    expect(texts[0]).toContain('notes:write');
  });

  it('a viewer reads and does not write', async () => {
    const { companyId } = anAgent();
    const viewer = operatorCaller({
      selectedCompanyId: companyId,
      companies: [{ companyId, role: 'viewer', companyStatus: 'active' }],
    });
    const client = await service.connect(viewer);
    expect((await names(client)).toSorted()).toEqual([...readTools, 'whoami'].toSorted());
    expect((await call(client, 'write_note', { title: 'x' })).texts[0]).toContain(
      'role_insufficient',
    );
  });
});

describe.each(eras)('a client of %s', (era) => {
  it('writes, reads, edits, searches, lists and deletes a note', async () => {
    const client = await service.connect(anAgent(), era);
    const content = '# Plan\n\nShip the harbour crane.\n\n## Risks\n\nWind.\n';
    const written = await call(client, 'write_note', {
      title: 'Plan',
      folder: 'work',
      content,
      tags: ['crane'],
    });
    expect(written.data).toMatchObject({ revision: 1, created: true });
    const id = String(written.data['id']);
    const read = await call(client, 'read_note', { path: 'work/Plan' });
    expect(read.texts[1]).toBe(content);
    expect(read.texts[0]).toContain(`id: ${id}\npath: work/Plan\nrevision: 1\ntags: crane`);
    const section = await call(client, 'read_note', { id, section: 'Plan/Risks' });
    expect(section.texts[1]).toBe('## Risks\n\nWind.\n');
    const lines = await call(client, 'read_note', { title: 'plan', lines: '3-4' });
    expect(lines.texts[1]).toBe('Ship the harbour crane.\n\n');
    const edited = await call(client, 'edit_note', {
      id,
      edits: [{ op: 'replace', find: 'Wind.', with: 'Wind and rain.' }],
    });
    expect(edited.data).toMatchObject({ id, revision: 2 });
    const found = await call(client, 'search_notes', { query: 'rain' });
    expect(found.texts[0]).toContain('7: Wind and rain.');
    expect((await call(client, 'list_notes', { folder: 'work' })).texts[0]).toContain(id);
    expect((await call(client, 'list_notes', { tree: true })).texts[0]).toContain('work (1)');
    const ofFolder = (await call(client, 'list_notes', { tree: true, folder: 'work' })).texts[0];
    expect([ofFolder?.includes('work (1)'), ofFolder?.includes('Tags:')]).toEqual([true, false]);
    const stale = await call(client, 'delete_note', { id, revision: 1 });
    expect([stale.isError, stale.texts[0]]).toEqual([true, expect.stringContaining('revision: 2')]);
    const deleted = await call(client, 'delete_note', { id, revision: 2 });
    expect(deleted.data).toEqual({ id, deleted: true });
    const gone = await call(client, 'read_note', { id });
    expect(gone.texts[0]).toContain('note_deleted');
  });

  it('gets every error as a result with a code and the next step', async () => {
    const client = await service.connect(anAgent(), era);
    const { id } = await create(client, { title: 'E', content: 'one\none\n' });
    const cases: [string, Readonly<Record<string, unknown>>, string][] = [
      ['read_note', { id: '0198a000-0000-7000-8000-00000000ffff' }, 'not_found'],
      ['read_note', { id: 'nonsense' }, 'validation_failed'],
      ['read_note', {}, 'validation_failed'],
      ['read_note', { id, nonsense: 1 }, 'validation_failed'],
      ['read_note', { id, section: 'None' }, 'edit_not_applicable'],
      ['write_note', { id, content: 'x' }, 'revision_required'],
      ['write_note', { id, content: 'x', revision: 7 }, 'precondition_failed'],
      [
        'edit_note',
        { id, edits: [{ op: 'replace', find: 'one', with: '' }] },
        'edit_not_applicable',
      ],
      ['edit_note', { id }, 'validation_failed'],
      ['recent_changes', { waitSeconds: 26 }, 'validation_failed'],
      ['recent_changes', { since: 'yesterday' }, 'validation_failed'],
      ['search_notes', { query: 'x', cursor: 'zzz' }, 'validation_failed'],
      ['get_context', { since: 'zzz' }, 'cursor_expired'],
    ];
    for (const [name, args, code] of cases) {
      const { isError, texts } = await call(client, name, args);
      expect([name, isError, texts[0]?.split(':')[0]]).toEqual([name, true, code]);
      expect(texts[0]).toMatch(/\nNext: \w/);
    }
  });

  it('an unknown tool and an unknown prompt are protocol errors', async () => {
    const client = await service.connect(anAgent(), era);
    await expect(client.callTool({ name: 'nonsense', arguments: {} })).rejects.toThrow('nonsense');
    await expect(client.getPrompt({ name: 'nonsense' })).rejects.toThrow('No such prompt');
  });

  it('lists pinned notes as resources, reads any note, and has prompts', async () => {
    const client = await service.connect(anAgent(), era);
    const { id } = await create(client, { title: 'Pinned', content: 'text', pinned: true });
    const other = await create(client, { title: 'Other', content: 'more' });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, name }) => [uri, name])).toEqual([[`note://${id}`, 'Pinned']]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]?.uriTemplate).toBe('note://{id}');
    const { contents } = await client.readResource({ uri: `note://${other.id}` });
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: 'more' }]);
    const part = await client.readResource({ uri: `note://${other.id}?from=1&maxBytes=2` });
    expect(part.contents).toMatchObject([{ text: 'or' }]);
    const wrong = ['maxBytes=0', 'from=1&from=2', 'to=3', 'from=x', 'from=1?maxBytes=2'];
    for (const query of wrong) {
      const uri = `note://${other.id}?${query}`;
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    }
    const missing = { uri: 'note://0198a000-0000-7000-8000-00000000ffff' };
    await expect(client.readResource(missing)).rejects.toMatchObject({ code: -32602 });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['recall', 'journal']);
    const recall = await client.getPrompt({ name: 'recall', arguments: { task: 'Pinned' } });
    expect(JSON.stringify(recall.messages)).toContain('Pinned notes');
  });

  it('never reaches another company', async () => {
    const theirs = await service.connect(anAgent(), era);
    const { id, revision } = await create(theirs, { title: 'Secret', content: 'harbour' });
    const client = await service.connect(anAgent(), era);
    for (const [name, args] of [
      ['read_note', { id }],
      ['edit_note', { id, edits: [{ op: 'append', text: 'x' }] }],
      ['write_note', { id, revision, content: 'x' }],
      ['delete_note', { id, revision }],
      ['note_history', { id }],
    ] as const) {
      const { isError, texts } = await call(client, name, args);
      expect([name, isError, texts[0]?.split(':')[0]]).toEqual([name, true, 'cross_company']);
    }
    await expect(client.readResource({ uri: `note://${id}` })).rejects.toThrow('cross_company');
    expect((await call(client, 'search_notes', { query: 'harbour' })).texts[0]).toContain(
      'No note',
    );
    expect((await call(client, 'recent_changes')).texts[0]).toContain('No changes');
  });
});

describe('write_note', () => {
  it('of a title that exists writes nothing and gives the id of the note', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { title: 'Log', content: 'a' });
    const again = await call(client, 'write_note', { title: 'LOG', content: 'b' });
    expect(again.data).toMatchObject({ id, revision: 1, created: false });
    expect(String(again.data['next'])).toContain('Nothing was written');
    expect((await call(client, 'read_note', { id })).texts[1]).toBe('a');
  });

  it('with a revision replaces what was read, and keeps the fields that are not given', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { path: 'a/b/T', content: 'a', tags: ['x'], pinned: true });
    const written = await call(client, 'write_note', { id, content: 'b', revision: 1 });
    expect(written.data).toMatchObject({ id, revision: 2 });
    const { texts } = await call(client, 'read_note', { path: 'a/b/T' });
    expect(texts).toEqual([expect.stringContaining('tags: x\npinned: true'), 'b']);
  });
});

describe('edit_note', () => {
  it('takes the names that models use', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { title: 'N', content: 'a b c\n' });
    for (const args of [
      { id, old_str: 'a', new_str: '1' },
      { note_id: id, old_text: 'b', new_text: '2' },
      { id, edits: JSON.stringify([{ find: 'c', with: '3' }]) },
      { id, append: 'end\n' },
    ]) {
      expect((await call(client, 'edit_note', args)).isError).toBe(false);
    }
    expect((await call(client, 'read_note', { id })).texts[1]).toBe('1 2 3\nend\n');
  });

  it('from many writers at once loses nothing, and applies a dedupeKey once', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const { id } = await create(client, { title: 'Journal' });
    const writers = await Promise.all(
      Array.from({ length: 8 }, () => service.connect(agentCaller({ companyId: agent.companyId }))),
    );
    await Promise.all(
      writers.flatMap((writer, of) =>
        Array.from({ length: 4 }, (_, index) => {
          const edits = [{ op: 'append', text: `${of}.${index}\n` }];
          return call(writer, 'edit_note', { id, edits, dedupeKey: `k${index}` }).then(() =>
            call(writer, 'edit_note', { id, edits, dedupeKey: `k${index}` }),
          );
        }),
      ),
    );
    const { texts } = await call(client, 'read_note', { id });
    const lines = (texts[1] ?? '').trimEnd().split('\n');
    expect([lines.length, new Set(lines).size]).toEqual([32, 32]);
  });

  it('edits sections, says which lines changed, and what another changed since the caller read it', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const colleague = agentCaller({ companyId: agent.companyId });
    const { id } = await create(client, { title: 'S', content: '# A\n\none\n\n# B\n\ntwo\n' });
    await call(await service.connect(colleague), 'edit_note', { id, append: 'theirs\n' });
    const { data } = await call(client, 'edit_note', {
      id,
      sinceRevision: 1,
      edits: [
        { op: 'append_to_section', heading: 'A', text: 'end' },
        { op: 'prepend_to_section', heading: 'B', text: 'start' },
      ],
    });
    expect(data).toMatchObject({
      revision: 3,
      lines: [expect.stringMatching(/^5: \+\d -0$/), expect.stringMatching(/^\d+: \+\d -0$/)],
      since: `changed since you read it: revision 2 by agent ${colleague.agentId} (+1 -0 lines)`,
    });
    const { texts } = await call(client, 'read_note', { id });
    expect(texts[1]).toMatch(/one\n+end\n.*# B\n+start\n/s);
  });

  it('that renames says which notes link to the old title, or updates their links', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { title: 'Old name' });
    const from = await create(client, { title: 'Linking', content: 'see [[Old name]]' });
    const set = { op: 'set', title: 'New name' };
    const renamed = await call(client, 'edit_note', { id, edits: [set] });
    expect(renamed.data['linkedFrom']).toContain(`Linking (${from.id})`);
    await call(client, 'edit_note', { id, edits: [{ op: 'set', title: 'Old name' }] });
    const updated = await call(client, 'edit_note', { id, edits: [{ ...set, updateLinks: true }] });
    expect(updated.data).toMatchObject({ linksUpdated: 1 });
    expect((await call(client, 'read_note', { id: from.id })).texts[1]).toBe('see [[New name]]');
  });

  it('by a run is the run’s', async () => {
    const agent = { ...anAgent(), keyId: null, runId: '0198a000-0000-7000-8000-0000000000aa' };
    const client = await service.connect(agent as ReturnType<typeof anAgent>);
    const { id } = await create(client, { title: 'By run' });
    const { body } = await world.as(agent as ReturnType<typeof anAgent>).get(`/api/notes/${id}`);
    expect(body.updatedBy).toEqual({ kind: 'agent', id: agent.agentId, runId: agent.runId });
  });
});

describe('long notes', () => {
  it('are read piece by piece, and each says how to go on', async () => {
    const client = await service.connect(anAgent());
    const content = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1} äöü\n`).join('');
    const { id } = await create(client, { title: 'Long', content });
    let text = '';
    let from: number | undefined = 0;
    for (let part = 0; from !== undefined && part < 10; part += 1) {
      const { texts }: Result = await call(client, 'read_note', { id, from });
      expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(41_000);
      text += texts[1];
      const next = /more: call again with from (\d+)/.exec(texts[0] ?? '')?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(text).toBe(content);
    const { texts } = await call(client, 'read_note', { id, fromLine: 2_999 });
    expect(texts[1]).toBe('line 2999 äöü\nline 3000 äöü\n');
  });
});

describe('recent_changes', () => {
  it('lists changes of others since the last result, each once, and own ones by author', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const colleague = await service.connect(agentCaller({ companyId: agent.companyId }));
    const { id } = await create(colleague, { title: 'Shared', content: 'a\n' });
    const first = await call(client, 'recent_changes');
    expect(first.texts[0]).toContain(`${id} Shared · rev 1 · +1 -0 lines`);
    const since = /next: (\S+)/.exec(first.texts[0] ?? '')?.[1];
    expect((await call(client, 'recent_changes', { since })).texts[0]).toContain('No changes.');
    await call(client, 'edit_note', { id, append: 'mine\n' });
    expect((await call(client, 'recent_changes', { since })).texts[0]).toContain('No changes.');
    await call(colleague, 'edit_note', { id, append: 'theirs\n' });
    const second = (await call(client, 'recent_changes', { since })).texts[0];
    expect(second).toContain('rev 3');
    expect(second).not.toContain('rev 1');
    const own = (await call(client, 'recent_changes', { author: agent.agentId })).texts[0];
    expect(own?.match(/rev \d/g)).toEqual(['rev 2']);
  });

  it('waits for the next change of another', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const colleague = await service.connect(agentCaller({ companyId: agent.companyId }));
    const start = await call(client, 'recent_changes');
    const since = /next: (\S+)/.exec(start.texts[0] ?? '')?.[1];
    const waiting = call(client, 'recent_changes', { since, waitSeconds: 20 });
    await create(client, { title: 'Own' });
    const { id } = await create(colleague, { title: 'Awaited' });
    expect((await waiting).texts[0]).toContain(id);
  });
});

describe('an undo', () => {
  it('is visible in changes, history and lines: who took back what', async () => {
    const agent = anAgent();
    const author = agentCaller({ companyId: agent.companyId });
    const client = await service.connect(agent);
    const { id } = await create(client, { title: 'Shared', content: 'a\nb\n' });
    const colleague = await service.connect(author);
    await call(colleague, 'edit_note', { id, edits: [{ op: 'replace', find: 'b', with: 'B' }] });
    const operator = operatorCaller({ companies: [grant(agent.companyId, 'operator')] });
    const { body } = await world
      .as(operator)
      .post('/api/notes/undo')
      .send({ keyId: author.keyId })
      .expect(202);
    const [deps] = world.deps;
    const undone = undoId.parse((body as { id: string }).id);
    if (deps) {
      const named = { companyId: agent.companyId, id: undone };
      await runUndo(deps, await claimUndo(deps, named));
    }
    const who = `operator ${operator.operatorId} (undo)`;
    const changes = (await call(client, 'recent_changes')).texts[0];
    expect(changes).toContain(`${who} · ${id} Shared · rev 3 · +1 -1 lines`);
    const history = (await call(client, 'note_history', { id })).texts[0]?.split('\n') ?? [];
    expect(history[0]).toContain(`${who} · 4 B · Shared · undoes rev 2`);
    expect(history[1]).not.toContain('undo');
    const blame = (await call(client, 'note_history', { id, view: 'blame' })).texts[0];
    expect(blame).toContain(`2-2: rev 3`);
    expect(blame).toContain(who);
  });
});

describe('recent_changes with places and differences', () => {
  it('shows paths, where a note was before, and the changed lines', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const colleague = await service.connect(agentCaller({ companyId: agent.companyId }));
    const { id } = await create(colleague, { path: 'old/Name', content: 'a\nb\n' });
    await call(colleague, 'edit_note', { id, edits: [{ op: 'set', title: 'New', folder: 'to' }] });
    await call(colleague, 'edit_note', { id, old_str: 'b', new_str: 'c' });
    const { texts } = await call(client, 'recent_changes', { diff: true });
    const lines = (texts[0] ?? '').split('\n');
    expect(lines[0]).toContain(`${id} to/New · rev 3 · +1 -1 lines`);
    expect(lines.slice(2, 4)).toEqual(['  -b', '  +c']);
    expect(texts[0]).toContain('to/New · rev 2 · renamed from Name · moved from old');
    expect(texts[0]).toContain('old/Name · rev 1');
  });

  it('loses no version between two results, and its pages end where the first one did', async () => {
    const agent = anAgent();
    const client = await service.connect(agent);
    const colleague = await service.connect(agentCaller({ companyId: agent.companyId }));
    const { id } = await create(colleague, { title: 'Counted' });
    let since = /next: (\S+)/.exec((await call(client, 'recent_changes')).texts[0] ?? '')?.[1];
    const seen: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let edit = 0; edit < 3; edit += 1) {
        await call(colleague, 'edit_note', { id, append: 'x\n' });
      }
      let page = (await call(client, 'recent_changes', { since, limit: 2 })).texts[0] ?? '';
      const cursor = /cursor "([^"]+)"/.exec(page)?.[1];
      const next = (await call(client, 'recent_changes', { cursor, limit: 2 })).texts[0] ?? '';
      page += next;
      since = /next: (\S+)/.exec(next)?.[1];
      seen.push(...[...page.matchAll(/ rev (\d+) /g)].map(([, revision]) => Number(revision)));
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });
});

describe('old versions', () => {
  it('are read, compared and brought back, also of a deleted note that only its title names', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { title: 'Gone', folder: 'x', content: 'one\n' });
    await call(client, 'edit_note', { id, old_str: 'one', new_str: 'two' });
    await call(client, 'delete_note', { id, revision: 2 });
    const missing = await call(client, 'read_note', { title: 'Gone' });
    expect(missing.texts[0]).toMatch(/^note_deleted: .*\nNext: .*restore_note/s);
    const old = await call(client, 'read_note', { title: 'gone', revision: 1 });
    expect([old.texts[0], old.texts[1]]).toEqual([
      expect.stringContaining('revision: 1\n'),
      'one\n',
    ]);
    const history = await call(client, 'note_history', { path: 'x/Gone' });
    expect(history.texts[0]).toMatch(/^rev 3 .* deleted .*\nrev 2 /);
    const restored = await call(client, 'restore_note', { title: 'Gone' });
    expect(restored.data).toMatchObject({ id, revision: 4, restored: true });
    const again = await call(client, 'restore_note', { title: 'Gone' });
    expect(again.data).toMatchObject({ id, revision: 4, restored: false });
    const first = await call(client, 'restore_note', { id, revision: 1 });
    expect(first.data).toMatchObject({ id, revision: 5, restored: true });
    expect((await call(client, 'read_note', { title: 'Gone' })).texts[1]).toBe('one\n');
    const since = await call(client, 'note_history', { id, limit: 1 });
    expect(since.texts[0]).toMatch(/^rev 5 .* · Gone · restored from rev 1\n/);
  });

  it('and backlinks are shown when they are wanted', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { title: 'Target' });
    const from = await create(client, { title: 'From', content: '[[Target]]' });
    const { texts } = await call(client, 'read_note', { id, links: true });
    expect(texts[0]).toContain(`linked from: From (${from.id})`);
    expect((await call(client, 'read_note', { id: from.id, links: true })).texts[0]).toContain(
      'linked from: no note',
    );
  });
});

describe('note_history', () => {
  it('shows revisions, differences and origins of lines', async () => {
    const client = await service.connect(anAgent());
    const { id } = await create(client, { title: 'H', content: 'a\n' });
    await call(client, 'edit_note', { id, append: 'b\n' });
    expect((await call(client, 'note_history', { id })).texts[0]).toMatch(/^rev 2 .*\nrev 1 /);
    const diff = await call(client, 'note_history', { id, view: 'diff' });
    expect(diff.texts[0]).toContain('+b');
    const blame = await call(client, 'note_history', { id, view: 'blame' });
    expect(blame.texts[0]).toMatch(/1-1: rev 1 .*\n  a\n2-2: rev 2 .*\n  b$/);
  });
});
