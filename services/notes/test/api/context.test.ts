import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { agentId, newId } from '@commonplace/contracts';
import pg from 'pg';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

const managerId = agentId.parse(newId());
let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({
    describeAuthors: async ({ companyId, agentId: id, authors }) => ({
      agent: id && {
        id,
        companyId,
        name: 'Ada',
        title: 'Lead',
        role: 'engineer',
        status: 'active',
        reportsTo: managerId,
        chainOfCommand: [{ id: managerId, name: 'Grace', title: '', role: 'manager' }],
        budget: {
          monthlyCents: 1_000,
          spentCents: 100,
          reservedCents: 0,
          remainingCents: 900,
          monthlyTokens: null,
          spentTokens: 0,
          remainingTokens: null,
          periodStart: '2026-11-01T00:00:00.000Z',
          periodEnd: '2026-12-01T00:00:00.000Z',
        },
        createdAt: '2026-11-01T00:00:00.000Z',
        updatedAt: '2026-11-01T00:00:00.000Z',
      },
      names: Object.fromEntries(authors.map((author) => [author.id, `Name of ${author.id}`])),
    }),
  });
});
afterAll(() => world.close());

const contextOf = async (agent: ReturnType<typeof anAgent>, body: object = {}) =>
  (await world.as(agent).post('/api/context').send(body).expect(200)).body;

const titlesOf = (context: { notes: { title: string; reason: string }[] }) =>
  context.notes.map(({ title, reason }) => `${reason}: ${title}`);

describe('a context', () => {
  it('says who the agent is, and holds pinned notes, matches, and what others changed, each once', async () => {
    const agent = anAgent();
    const colleague = anAgent(agent.companyId);
    const { cursor } = await contextOf(agent);
    await syncClient(world, colleague).push(
      putOf({ title: 'Rules', content: 'Deploy on Mondays.', pinned: true }),
      putOf({ title: 'Deploying', content: 'How to deploy the gateway' }),
      putOf({ title: 'Lunch', content: 'Soup' }),
    );
    await syncClient(world, agent).push(putOf({ title: 'Mine', content: 'Secret plan' }));
    const context = await contextOf(agent, { query: 'deploy gateway', since: cursor });
    expect(context.agent).toMatchObject({ name: 'Ada', manager: { name: 'Grace' } });
    expect(titlesOf(context)).toEqual(['pinned: Rules', 'match: Deploying', 'changed: Lunch']);
    expect(context.notes[0]).toMatchObject({
      author: { kind: 'agent', name: `Name of ${colleague.agentId}` },
      text: 'Deploy on Mondays.',
      truncated: false,
    });
    const next = await contextOf(agent, { since: context.cursor });
    expect(titlesOf(next)).toEqual(['pinned: Rules']);
  });

  it('shows deletions by others, and finds notes with some of the words', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const path = `/api/notes/${id}`;
    const colleague = world.as(anAgent(agent.companyId));
    await colleague.put(path).send({ title: 'Gone', content: 'x' }).expect(201);
    const { cursor } = await contextOf(agent);
    await colleague.delete(path).expect(204);
    await colleague.put(`/api/notes/${aNoteId()}`).send({ title: 'Staging servers' }).expect(201);
    const context = await contextOf(agent, {
      since: cursor,
      query: 'restart the staging database',
    });
    expect(titlesOf(context)).toEqual(['match: Staging servers', 'changed: Gone']);
    expect(context.notes[1]).toMatchObject({ deleted: true, text: '', truncated: false });
  });

  it('keeps to its size, and lists what has no room', async () => {
    const agent = anAgent();
    const changes = Array.from({ length: 12 }, (_, index) =>
      putOf({ title: `Long ${index}`, content: 'word '.repeat(2_000), pinned: true }),
    );
    await syncClient(world, agent).push(...changes);
    const context = await contextOf(agent, { maxBytes: 4_096 });
    expect(context.notes.length).toBeGreaterThan(1);
    expect(context.notes.every(({ truncated }: { truncated: boolean }) => truncated)).toBe(true);
    expect(context.notes.length + context.omitted.length + context.moreOmitted).toBe(12);
    const { text } = await world
      .as(agent)
      .post('/api/context')
      .set('Accept', 'text/markdown')
      .send({ maxBytes: 4_096 })
      .expect('Content-Type', 'text/markdown; charset=utf-8')
      .expect(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
    expect(text).toContain('You are **Ada** (Lead, engineer)');
    expect(text).toContain('## Left out for lack of room');
    expect(text).toContain(`Cursor: ${context.cursor}`);
  });

  it('shows the passages of a match that does not fit, with their lines, and fills its bytes', async () => {
    const agent = anAgent();
    const filler = 'Nothing of interest happens here today. '.repeat(150);
    const content = `# Log\n\n${filler}\n\n## Ferry\n\nThe ferry leaves at noon.\n\n${filler}`;
    await syncClient(world, agent).push(putOf({ title: 'Long', content }));
    const context = await contextOf(agent, { query: 'when does the ferry leave', maxBytes: 8_192 });
    expect(context.notes).toMatchObject([
      { truncated: true, passages: [{ fromLine: 5, toLine: 9, headings: ['Log', 'Ferry'] }] },
    ]);
    expect(context.notes[0].text).toContain('The ferry leaves at noon.');
    const { text } = await world
      .as(agent)
      .post('/api/context')
      .set('Accept', 'text/markdown')
      .send({ query: 'when does the ferry leave', maxBytes: 8_192 })
      .expect(200);
    expect(text).toContain('lines 5-9: Log > Ferry');
    const whole = await contextOf(agent, { query: 'ferry', maxBytes: 65_536 });
    expect(whole.notes).toMatchObject([{ truncated: false, text: content }]);
  });

  it('lists a note that another changed before the caller did', async () => {
    const agent = anAgent();
    const colleague = anAgent(agent.companyId);
    const note = putOf({ title: 'Shared', content: 'a\n' });
    const own = putOf({ title: 'Own', content: 'a\n' });
    await syncClient(world, agent).push(note, own);
    const { cursor } = await contextOf(agent);
    const append = (caller: typeof agent, id: string) =>
      world
        .as(caller)
        .patch(`/api/notes/${id}`)
        .send({ edits: [{ op: 'append', text: 'b\n' }] })
        .expect(200);
    await append(colleague, note.id);
    await append(agent, note.id);
    await append(agent, own.id);
    expect(titlesOf(await contextOf(agent, { since: cursor }))).toEqual(['changed: Shared']);
  });

  it('shows, lists or counts every pinned note', async () => {
    const agent = anAgent();
    const pinned = Array.from({ length: 30 }, (_, index) =>
      putOf({ title: `Pinned ${index}`, content: 'x', pinned: true }),
    );
    await syncClient(world, agent).push(...pinned);
    const { notes, omitted, moreOmitted } = await contextOf(agent);
    expect(notes.length + omitted.length + moreOmitted).toBe(30);
    expect([notes.length, omitted.length]).toEqual([20, 10]);
  });

  it('fills its size before it leaves out or cuts a note', async () => {
    const agent = anAgent();
    await syncClient(world, agent).push(
      putOf({ title: 'Long', content: 'word '.repeat(2_000), pinned: true }),
      putOf({ title: 'Match', content: `harbour ${'crane '.repeat(120)}` }),
    );
    const { body, text } = await world
      .as(agent)
      .post('/api/context')
      .set('Accept', 'text/markdown')
      .send({ query: 'harbour', maxBytes: 4_096 })
      .expect(200);
    const markdown = text ?? String(body);
    expect(markdown).toContain('### Match');
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(3_700);
  });

  it('keeps the headings and fences of notes inside their fence', async () => {
    const agent = anAgent();
    const content = '# Heading\n\n````\ncode\n````\n';
    await syncClient(world, agent).push(putOf({ title: 'T', content, pinned: true }));
    const { text } = await world
      .as(agent)
      .post('/api/context')
      .set('Accept', 'text/markdown')
      .send({})
      .expect(200);
    expect(text).toContain(`\`\`\`\`\`\n${content}\`\`\`\`\``);
  });

  it('is limited to folders and tags, and to the company of the caller', async () => {
    const agent = anAgent();
    await syncClient(world, anAgent()).push(putOf({ title: 'Theirs', pinned: true }));
    await syncClient(world, agent).push(
      putOf({ title: 'A', folder: 'a/b', tags: ['x'], pinned: true }),
      putOf({ title: 'B', folder: 'b', pinned: true }),
    );
    expect(titlesOf(await contextOf(agent, { folders: ['a', 'c'] }))).toEqual(['pinned: A']);
    expect(titlesOf(await contextOf(agent, { tags: ['x'] }))).toEqual(['pinned: A']);
  });

  it('prefers notes with all words, then those with more of the rare ones, and leaves out excluded ones', async () => {
    const agent = anAgent();
    await syncClient(world, agent).push(
      ...Array.from({ length: 30 }, (_, index) => putOf({ title: `Alpha ${index}` })),
      putOf({ title: 'Alpha beta', content: 'gamma' }),
      putOf({ title: 'Beta gamma' }),
      putOf({ title: 'Beta gamma, a draft' }),
    );
    const titles = titlesOf(await contextOf(agent, { query: 'alpha "beta gamma" -draft' }));
    expect(titles.slice(0, 2).toSorted()).toEqual(['match: Alpha beta', 'match: Beta gamma']);
    expect(titles).toHaveLength(20);
    const all = titlesOf(await contextOf(agent, { query: 'alpha gamma' }));
    expect(all[0]).toBe('match: Alpha beta');
    expect(await contextOf(agent, { query: '-draft' })).toMatchObject({ notes: [] });
  });

  it('has the newest of very many matches, also within a folder', async () => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const numbered = (folder: string, from: number) =>
      Array.from({ length: 300 }, (_, index) => putOf({ title: `Log ${from + index}`, folder }));
    await client.push(...numbered('old', 0));
    await client.push(...numbered('new', 300));
    await client.push(putOf({ title: 'Log last', folder: 'old' }));
    const newest = titlesOf(await contextOf(agent, { query: 'log' }));
    expect(newest).toHaveLength(20);
    expect(newest[0]).toBe('match: Log last');
    const inFolder = await contextOf(agent, { query: 'log', folders: ['old'] });
    expect(inFolder.notes.map(({ folder }: { folder: string }) => folder)).toEqual(
      Array.from({ length: 20 }, () => 'old'),
    );
  });

  it('takes few queries for its three parts, however many notes it has', async () => {
    const agent = anAgent();
    const { cursor } = await contextOf(agent);
    const { push } = syncClient(world, anAgent(agent.companyId));
    await push(
      ...Array.from({ length: 60 }, (_, index) =>
        putOf({ title: `Deploy ${index}`, content: 'gateway', pinned: index % 3 === 0 }),
      ),
    );
    const request = { query: 'deploy the gatewey gateway', since: cursor };
    await contextOf(agent, request);
    const sent = jest.spyOn(pg.Client.prototype, 'query');
    const { notes } = await contextOf(agent, request);
    const texts = sent.mock.calls.map(([query]) => (query as { text?: string }).text ?? '');
    sent.mockRestore();
    expect(notes.length).toBeGreaterThan(20);
    for (const part of [/n\.pinned = true/, /n\.updated_by_id <>/, /notes\.search_statistics/]) {
      expect(texts.filter((text) => part.test(text))).toHaveLength(1);
    }
    // Once, and once more with corrections.
    expect(texts.filter((text) => /match_notes/.test(text)).length).toBeLessThanOrEqual(2);
  });

  it('takes only a cursor of this company', async () => {
    const { cursor } = await contextOf(anAgent());
    for (const since of [cursor, 'nonsense']) {
      await world.as(anAgent()).post('/api/context').send({ since }).expect(410);
    }
  });
});
