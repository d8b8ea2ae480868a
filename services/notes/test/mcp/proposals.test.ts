import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { identityHeaders } from '@commonplace/testkit';
import { anAgent } from '../notes-world.ts';
import {
  createProposalsWorld,
  proposing,
  type ProposalsWorld,
} from '../proposals/proposals-world.ts';
import { callTool as call, startMcpService, type McpService } from './mcp-client.ts';

let at: ProposalsWorld;
let service: McpService;
beforeAll(async () => {
  at = await createProposalsWorld();
  service = await startMcpService(at.world.app());
});
afterAll(async () => {
  await service.close();
  await at.world.close();
});

/** Calls a tool; all of its texts are one. */
const callTool = async (...request: Parameters<typeof call>) => {
  const { isError, texts } = await call(...request);
  return { isError, text: texts.join('\n') };
};

const connect = () => service.connect(at.proposer);

const isProposed = { isError: false, text: expect.stringContaining('proposed, not yet applied') };

it('a write says that it is proposed and not yet applied, and what became of it is read later', async () => {
  const client = await connect();
  const id = await at.note('p');
  const edited = await callTool(client, 'edit_note', { id, append: 'four\n' });
  expect(edited).toEqual(isProposed);
  const created = await callTool(client, 'write_note', { path: 'p/New', content: 'text' });
  expect(created).toEqual(isProposed);
  const replaced = await callTool(client, 'write_note', { id, revision: 1, content: 'other\n' });
  expect(replaced.text).toContain('proposed, not yet applied');
  expect(await at.stored(id)).toMatchObject({ revision: 1 });
  const [first] = (await at.list(`?state=open&noteId=${id}`)).items;
  await at.reject(String(first?.id), 'wrong figures').expect(200);
  const changes = await callTool(client, 'recent_changes', {});
  expect(changes.text).toMatch(/your proposal \S+ for p\/N was rejected by .*: wrong figures/);
  expect((await callTool(client, 'get_context', {})).text).toContain('wrong figures');
});

it('a proposal says why it was made, and callers whose writes count at once are not shown how', async () => {
  const client = await connect();
  const id = await at.note('p');
  const latest = async () => (await at.list('?state=open')).items[0];
  await callTool(client, 'edit_note', { id, append: 'x\n', reason: 'the vendor moved' });
  expect(await latest()).toMatchObject({ noteId: id, reason: 'the vendor moved' });
  await callTool(client, 'write_note', { path: 'p/Why', content: 'x', reason: 'found today' });
  expect(await latest()).toMatchObject({ title: 'Why', reason: 'found today' });
  await callTool(client, 'write_note', { id, revision: 1, content: 'y', reason: 'shorter' });
  expect(await latest()).toMatchObject({ noteId: id, reason: 'shorter' });
  const takingReason = async (of: typeof client) =>
    (await of.listTools()).tools
      .filter(({ inputSchema }) => 'reason' in (inputSchema.properties ?? {}))
      .map(({ name }) => name);
  expect((await takingReason(client)).toSorted()).toEqual(['edit_note', 'write_note']);
  const direct = await service.connect(at.writer);
  expect(await takingReason(direct)).toEqual([]);
  const written = await callTool(direct, 'edit_note', { id, append: 'z\n', reason: 'why not' });
  expect(written).toMatchObject({ isError: false, text: expect.not.stringContaining('proposed') });
});

it('fields that write_note does not get stay as proposed, and it says which proposal it replaces', async () => {
  const client = await connect();
  const id = await at.note('p');
  await callTool(client, 'edit_note', { id, append: 'findings\n' });
  const [first] = (await at.list(`?state=open&noteId=${id}`)).items;
  const tagged = await callTool(client, 'write_note', { id, revision: 1, tags: ['done'] });
  expect(tagged).toEqual(isProposed);
  expect(tagged.text).toContain(`It stands for your proposal ${first?.id}, and keeps its content.`);
  const [second] = (await at.list(`?state=open&noteId=${id}`)).items;
  expect(await at.read(String(second?.id))).toMatchObject({
    content: 'one\ntwo\nthree\nfindings\n',
    tags: ['done'],
  });
  const replaced = await callTool(client, 'write_note', { id, revision: 1, content: 'all new\n' });
  expect(replaced.text).toContain(`your proposal ${second?.id}, and keeps its tags.`);
});

it('fields that others changed since the proposal are not undone by write_note', async () => {
  const client = await connect();
  const id = await at.note('p');
  const writer = at.world.as(at.writer);
  const write = (edit: object) =>
    writer
      .patch(`/api/notes/${id}`)
      .send({ edits: [edit] })
      .expect(200);
  await callTool(client, 'edit_note', { id, append: 'findings\n' });
  await write({ op: 'set', tags: { add: ['theirs'] } });
  const kept = await callTool(client, 'write_note', { id, revision: 2, pinned: true });
  expect(kept).toEqual(isProposed);
  const [open] = (await at.list(`?state=open&noteId=${id}`)).items;
  expect(await at.read(String(open?.id))).toMatchObject({
    content: 'one\ntwo\nthree\nfindings\n',
    tags: ['theirs'],
    pinned: true,
  });
  await write({ op: 'prepend', text: 'zero\n' });
  const refused = await callTool(client, 'write_note', { id, revision: 3, tags: [] });
  expect(refused).toEqual({ isError: true, text: expect.stringContaining('precondition_failed') });
  expect(refused.text).toContain(`Your proposal ${open?.id} changes content of revision 2`);
  expect(await at.read(String(open?.id))).toMatchObject({ state: 'open' });
});

it('a rejected one is said whatever was accepted since, and so is that there are more', async () => {
  const proposer = { ...anAgent(at.company), grants: proposing };
  const client = await service.connect(proposer);
  const propose = async () => {
    const { texts } = await call(client, 'edit_note', { id: await at.note('p'), append: 'x' });
    return /proposal ([\w-]{36})/.exec(texts[0] ?? '')?.[1] ?? '';
  };
  const rejected = await propose();
  await at.reject(rejected, 'first').expect(200);
  for (let count = 0; count < 11; count += 1) {
    await at.accept(await propose()).expect(200);
  }
  const changes = await callTool(client, 'recent_changes', {});
  expect(changes.text).toContain(`your proposal ${rejected} for p/N was rejected`);
  expect(changes.text).not.toContain('more of your proposals');
  expect((await callTool(client, 'get_context', {})).text).toContain(rejected);
  for (let count = 0; count < 10; count += 1) {
    await at.reject(await propose(), 'later').expect(200);
  }
  const { text } = await callTool(client, 'recent_changes', {});
  expect(text.match(/^your proposal /gm)).toHaveLength(10);
  expect(text).toContain('… more of your proposals were rejected or expired before these');
});

it('a rejected one is said after a list that was made at its time, before it was stored', async () => {
  const proposer = { ...anAgent(at.company), grants: proposing };
  const client = await service.connect(proposer);
  const { texts } = await call(client, 'edit_note', { id: await at.note('p'), append: 'x' });
  const id = /proposal ([\w-]{36})/.exec(texts[0] ?? '')?.[1] ?? '';
  await at.reject(id, 'late').expect(200);
  const { text } = await callTool(client, 'recent_changes', {});
  const [, head, at36 = ''] = /next: (\d+)\.(\w+)/.exec(text) ?? [];
  const listedBy = (seconds: number) =>
    `${head}.${(Number.parseInt(at36, 36) + seconds * 1_000).toString(36)}`;
  const later = await callTool(client, 'recent_changes', { since: listedBy(30) });
  expect(later.text).toContain(`your proposal ${id} for p/N was rejected`);
  const last = await callTool(client, 'recent_changes', { since: listedBy(120) });
  expect(last.text).not.toContain('your proposal');
});

it('an accepted one is a change that names who accepted it', async () => {
  const client = await connect();
  const id = await at.note('p');
  const { id: proposalId } = await at.propose(id, { op: 'append', text: 'x' });
  await at.accept(proposalId).expect(200);
  const changes = await callTool(client, 'recent_changes', {});
  expect(changes.text).toMatch(new RegExp(`${id} p/N · rev 2 · proposal accepted by `));
  expect((await callTool(client, 'note_history', { id })).text).toContain('proposal accepted by');
});

it('a deletion is refused by name, and the credential knows that changes are proposals', async () => {
  const client = await connect();
  const id = await at.note('p');
  const deleted = await callTool(client, 'delete_note', { id, revision: 1 });
  expect(deleted).toEqual({
    isError: true,
    text: expect.stringContaining('proposal_not_possible'),
  });
  expect((await callTool(client, 'whoami', {})).text).toContain('changes are proposals');
  expect(client.getInstructions()).toContain('changes are proposals');
});

it('a note that is proposed already is written once, and edited by its path', async () => {
  const client = await connect();
  await callTool(client, 'write_note', { path: 'p/Journal', content: 'one\n' });
  const again = await callTool(client, 'write_note', { path: 'p/Journal', content: 'two\n' });
  expect(again).toEqual({
    isError: false,
    text: expect.stringContaining('you have proposed this note already'),
  });
  const edited = await callTool(client, 'edit_note', { path: 'p/Journal', append: 'two\n' });
  expect(edited).toEqual(isProposed);
  const open = (await at.list('?state=open')).items.filter(({ title }) => title === 'Journal');
  expect(open).toHaveLength(1);
  expect((await at.read(String(open[0]?.id))).content).toBe('one\ntwo\n');
  const unknown = await callTool(client, 'edit_note', { path: 'p/Nowhere', append: 'x' });
  expect(unknown).toEqual({ isError: true, text: expect.stringContaining('not_found') });
});

it('a note that is proposed is edited by its path, although one of its title was deleted', async () => {
  const id = await at.note('p');
  const writer = at.world.as(at.writer);
  const edits = [{ op: 'set', title: 'Log' }];
  await writer.patch(`/api/notes/${id}`).send({ edits }).expect(200);
  await writer.delete(`/api/notes/${id}`).expect(204);
  const client = await connect();
  await callTool(client, 'write_note', { path: 'p/Log', content: 'one\n' });
  expect(await callTool(client, 'edit_note', { path: 'p/Log', append: 'two\n' })).toEqual(
    isProposed,
  );
  const [open] = (await at.list('?state=open&title=Log')).items;
  expect((await at.read(String(open?.id))).content).toBe('one\ntwo\n');
});

it('a repeated call for a note that is proposed already says so again', async () => {
  const client = await connect();
  await callTool(client, 'write_note', { path: 'p/Diary', content: 'one\n' });
  const send = async (): Promise<string> => {
    const response = await fetch(service.url, {
      method: 'POST',
      headers: {
        ...identityHeaders(at.proposer),
        'content-type': 'application/json',
        'idempotency-key': 'diary',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'write_note', arguments: { path: 'p/Diary', content: 'two\n' } },
      }),
    });
    return response.text();
  };
  expect(await send()).toContain('you have proposed this note already');
  expect(await send()).toContain('you have proposed this note already');
});

it('the lines of an accepted one name who accepted it', async () => {
  const client = await connect();
  const id = await at.note('p');
  const { id: proposalId } = await at.propose(id, { op: 'append', text: 'four\n' });
  await at.accept(proposalId).expect(200);
  const { text } = await callTool(client, 'note_history', { id, view: 'blame' });
  expect(text).toMatch(/^4-4: rev 2 .* proposal accepted by /m);
  expect(text).not.toMatch(/^1-3: .*proposal/m);
});

it('a proposed note is renamed, and found by its title as notes are', async () => {
  const client = await connect();
  await callTool(client, 'write_note', { path: 'p/Große Pläne', content: 'one\n' });
  const edits = [{ op: 'set', title: 'Größere Pläne' }];
  const renamed = await callTool(client, 'edit_note', { path: 'p/GROSSE PLÄNE', edits });
  expect(renamed).toEqual(isProposed);
  const { grants: _none, ...unlimited } = at.proposer;
  const direct = await service.connect(unlimited);
  const appended = await callTool(direct, 'edit_note', { title: 'größere pläne', append: 'two\n' });
  expect(appended).toEqual(isProposed);
  const [open] = (await at.list('?state=open&title=Gr%C3%B6%C3%9Fere%20Pl%C3%A4ne')).items;
  expect((await at.read(String(open?.id))).content).toBe('one\ntwo\n');
});
