import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createMemoryStore,
  noteText,
  openSyncClient,
  type NoteText,
} from '@commonplace/client';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';
import { SimulatedServer } from './simulated-server.ts';

afterEach(removeFolders);

/** A client of a simulated server, which can be opened again. */
const openReplica = async () => {
  const server = new SimulatedServer();
  const store = createMemoryStore();
  const { fetch } = server;
  const api = createClient({ baseUrl: 'http://simulated.test', retry: { attempts: 1 }, fetch });
  const open = () => openSyncClient({ api, store });
  return { server, store, open, client: await open() };
};

describe('a deletion that the server refuses', () => {
  it('is reported, and does not hide the note', async () => {
    const { server, client } = await openReplica();
    const id = randomUUID();
    await client.edit([{ id, text: { title: 'Plan', content: 'one' } }]);
    await client.synchronise();
    Object.assign(server, { rejects: () => true, rejectsWith: 'proposal_not_possible' });
    await client.edit([{ id, text: null }]);
    const { events } = await client.synchronise();
    expect(events).toMatchObject([
      { id, status: 'rejected', error: { code: 'proposal_not_possible' } },
    ]);
    expect(client.find(id)).toMatchObject({ text: { content: 'one' }, isPending: false });
    expect((await client.synchronise()).events).toEqual([]);
  });

  it('takes nothing from an edit that was made while it was sent', async () => {
    const { server, client } = await openReplica();
    const id = randomUUID();
    await client.edit([{ id, text: { title: 'Plan', content: 'one' } }]);
    await client.synchronise();
    const api = createClient({
      baseUrl: 'http://simulated.test',
      fetch: async (request) => {
        if ((await request.clone().text()).includes('"delete"')) {
          await other.edit([{ id, text: { title: 'Plan', content: 'two' } }]);
        }
        return server.fetch(request);
      },
    });
    const other = await openSyncClient({ api, store: createMemoryStore() });
    await other.synchronise();
    await other.edit([{ id, text: null }]);
    server.rejects = (change) => change.op === 'delete';
    await other.synchronise();
    expect(other.find(id)).toMatchObject({ text: { content: 'two' }, isPending: false });
    expect([...server.activeNotes().values()].map(({ content }) => content)).toEqual(['two']);
  });

  it('that a store of an earlier version has kept is sent once more, and then hides nothing', async () => {
    const { server, store, open, client } = await openReplica();
    const id = randomUUID();
    await client.edit([{ id, text: { title: 'Plan', content: 'one' } }]);
    await client.synchronise();
    const [note] = (await store.load())?.notes ?? [];
    const draft = { text: null, origin: { revision: 1 } };
    const refusal = { code: 'proposal_not_possible', detail: 'refused' };
    await store.save({ notes: note ? [{ ...note, draft, refusal }] : [] });
    server.rejects = () => true;
    const later = await open();
    expect((await later.synchronise()).events).toMatchObject([{ id, status: 'rejected' }]);
    expect(later.find(id)).toMatchObject({ text: { content: 'one' }, isPending: false });
  });

  it('restores the file, and names it once', async () => {
    const { server, root, syncOnce, write } = await createEnvironment();
    await write('plans/Plan.md', 'one\n');
    await syncOnce();
    server.rejects = () => true;
    await rm(join(root, 'plans/Plan.md'));
    expect(problemsOf(await syncOnce())).toEqual([
      'plans/Plan.md: not deleted: The simulated server refuses it.',
    ]);
    expect(await readdir(join(root, 'plans'))).toEqual(['Plan.md']);
    expect(problemsOf(await syncOnce())).toEqual([]);
    expect(await readdir(join(root, 'plans'))).toEqual(['Plan.md']);
  });

  it('because the agent is paused is named by its file, and carried out later', async () => {
    const { server, root, syncOnce, write, titles } = await createEnvironment();
    await write('plans/Plan.md', 'one\n');
    await syncOnce();
    server.isReadOnlyBy = 'agent_paused';
    await rm(join(root, 'plans/Plan.md'));
    for (let count = 0; count < 2; count += 1) {
      expect(problemsOf(await syncOnce())).toEqual([
        expect.stringContaining('plans/Plan: not sent: '),
      ]);
    }
    server.isReadOnlyBy = null;
    expect(problemsOf(await syncOnce())).toEqual([]);
    expect(titles()).toEqual([]);
  });
});

describe('an edit that would make the server refuse a whole request', () => {
  const huge = { title: 'Huge', content: 'x'.repeat(9 * 1024 * 1024) };
  const deep = {
    title: 'Deep',
    properties: JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`),
  };

  it.each([
    { cause: 'too large', text: huge, code: 'body_too_large', inBackground: false },
    { cause: 'too large, in a job', text: huge, code: 'body_too_large', inBackground: true },
    { cause: 'nested too deep', text: deep, code: 'validation_failed', inBackground: false },
  ])(
    'because it is $cause is rejected, and stops no other',
    async ({ text, code, inBackground }) => {
      const { server, open, client } = await openReplica();
      Object.assign(server, { pageSize: 1_000 });
      const id = randomUUID();
      const others = Array.from({ length: inBackground ? 600 : 2 }, () => randomUUID());
      await client.edit([id, ...others].map((each) => ({ id: each, text: { title: 'Other' } })));
      await client.edit([{ id, text }]);
      const { events } = await client.synchronise({ inBackground });
      expect(events.filter(({ status }) => status === 'rejected')).toMatchObject([
        { id, error: { code } },
      ]);
      expect([...server.activeNotes().keys()].toSorted()).toEqual(others.toSorted());
      const later = await open();
      expect((await later.synchronise()).events).toEqual([]);
      expect(later.find(id)).toMatchObject({ text, rejection: { code } });
      await later.edit([{ id, text: { title: 'Short' } }]);
      expect((await later.synchronise()).events).toMatchObject([{ id, status: 'applied' }]);
    },
  );

  it('that an earlier version has sent already can be taken back', async () => {
    const { server, store, open } = await openReplica();
    const note = unsent(randomUUID(), huge);
    const bad = unsent('no uuid', { title: 'Lost' });
    await store.save({ notes: [note, bad] });
    const client = await open();
    expect((await client.synchronise()).events).toMatchObject([
      { id: note.id, status: 'rejected' },
      { id: 'no uuid', status: 'rejected' },
    ]);
    expect(client.find('no uuid')).toMatchObject({ text: { title: 'Lost' } });
    await client.edit([note, bad].map(({ id }) => ({ id, text: null })));
    expect([client.pendingCount(), server.activeNotes().size]).toEqual([0, 0]);
  });

  it('is refused at once if its id is not a UUID or its text is not JSON, with all edits of the call', async () => {
    const { client } = await openReplica();
    const good = { id: randomUUID(), text: { title: 'Good' } };
    await expect(client.edit([good, { id: 'Plan', text: {} }])).rejects.toThrow('must be a UUID');
    const text = { properties: { count: 1n } };
    await expect(client.edit([good, { id: randomUUID(), text }])).rejects.toThrow('BigInt');
    expect([client.pendingCount(), client.notes()]).toEqual([0, []]);
  });
});

describe('a proposal', () => {
  const proposed = { code: 'proposed', detail: 'proposed, not yet applied' };

  /** A replica that was opened with a proposal of a new note, and how the server responds when proposals are listed. */
  const openProposed = async (refusal: object, respond: (query: URLSearchParams) => Response) => {
    const server = new SimulatedServer();
    const store = createMemoryStore();
    const read: string[] = [];
    const api = createClient({
      baseUrl: 'http://simulated.test',
      retry: { attempts: 1 },
      fetch: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (!pathname.startsWith('/api/notes/proposals')) {
          return server.fetch(request);
        }
        read.push(pathname);
        return respond(searchParams);
      },
    });
    await openSyncClient({ api, store });
    const draft = { text: noteText({ title: 'Plan' }), origin: { revision: null } };
    const note = { ...unsent(randomUUID(), {}), outstanding: null, draft };
    await store.save({ notes: [{ ...note, refusal: { ...proposed, ...refusal } }] });
    return { id: note.id, client: await openSyncClient({ api, store }), read };
  };
  const listOf = (...items: object[]): Response => Response.json({ items, nextCursor: null });
  const timeout = (): never => {
    throw new DOMException('slow', 'TimeoutError');
  };

  it.each([
    ['the server fails', () => Response.json({ code: 'unexpected_failure' }, { status: 500 })],
    ['the connection is too slow', timeout],
  ])('that cannot be read because %s stops nothing, and stays proposed', async (_, respond) => {
    const { id, client, read } = await openProposed({ proposalId: 'one' }, respond);
    expect((await client.synchronise()).events).toEqual([]);
    expect(read).toHaveLength(1);
    expect(client.find(id)).toMatchObject({ rejection: { code: 'proposed' } });
  });

  it('that is gone says so once, and keeps its text', async () => {
    const { id, client } = await openProposed({ proposalId: 'one' }, () => listOf({ id: 'two' }));
    const error = { code: 'proposal_not_found' };
    expect((await client.synchronise()).events).toMatchObject([{ id, status: 'rejected', error }]);
    expect((await client.synchronise()).events).toEqual([]);
    expect(client.find(id)).toMatchObject({ text: { title: 'Plan' }, rejection: error });
  });

  it('takes nothing from an edit that was made while it was read', async () => {
    const opened = await openProposed({ proposalId: 'one' }, (query) => {
      if (query.has('state')) {
        return listOf();
      }
      void opened.client.edit([{ id: opened.id, text: { title: 'Plan', content: 'more' } }]);
      return listOf({ id: 'one', state: 'accepted', revision: null, note: null });
    });
    await opened.client.synchronise();
    expect(opened.client.find(opened.id)).toMatchObject({ text: { content: 'more' } });
  });

  it('in a store of an earlier version, which has not its id, stays proposed', async () => {
    const { id, client, read } = await openProposed({}, () => listOf());
    expect((await client.synchronise()).events).toEqual([]);
    expect([read, client.find(id)?.rejection]).toEqual([[], proposed]);
  });

  it('is read with all others in a few requests, without its text', async () => {
    const { server, store, client } = await openReplica();
    server.proposes = () => true;
    const ids = Array.from({ length: 15 }, () => randomUUID());
    await client.edit(ids.map((id) => ({ id, text: { title: 'Plan' } })));
    await client.synchronise();
    const read: string[] = [];
    const api = createClient({
      baseUrl: 'http://simulated.test',
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        read.push(...(request.method === 'GET' ? [pathname + search] : []));
        return server.fetch(request);
      },
    });
    const later = await openSyncClient({ api, store });
    expect((await later.synchronise()).events).toEqual([]);
    const list = '/api/notes/proposals?state=open';
    expect(read).toEqual([list, `${list}&cursor=10`]);
    server.proposals.reject('Not now');
    const last = await openSyncClient({ api, store });
    const rejected = { status: 'rejected', error: { code: 'proposal_rejected' } };
    expect((await last.synchronise()).events).toMatchObject(ids.map(() => rejected));
    expect((await last.synchronise()).events).toEqual([]);
  });

  it('that was rejected does not count as a deletion once the file has its former text', async () => {
    const { server, syncOnce, write } = await createEnvironment({ proposals: true });
    await write('Plan.md', 'one\n');
    await syncOnce();
    server.proposes = () => true;
    await write('Plan.md', 'one\ntwo\n');
    expect(await syncOnce()).toMatchObject({ proposed: ['Plan.md'], problems: [] });
    server.proposals.reject('Not now');
    await write('Plan.md', 'one\n');
    expect(await syncOnce()).toMatchObject({ proposed: [], problems: [] });
  });
});

describe('a proposal that was not accepted', () => {
  const keeping = { mayDelete: false, mayDeleteMany: false };

  /** A folder with a proposed change of Plan.md and the given new notes, all of which are rejected. */
  const openRejected = async (...names: readonly string[]) => {
    const environment = await createEnvironment({ proposals: true });
    const { server, root, withFolder, write } = environment;
    const sync = (rule = keeping) => withFolder((look) => look(rule));
    await write('Plan.md', 'one\n');
    await sync();
    server.proposes = () => true;
    await write('Plan.md', 'one\ntwo\n');
    await Promise.all(names.map((name) => write(name, name)));
    expect((await sync()).proposed).toHaveLength(names.length + 1);
    server.proposals.reject('Not now');
    const remove = (...paths: readonly string[]) =>
      Promise.all(paths.map((path) => rm(join(root, path))));
    const files = async () => (await readdir(root)).filter((name) => name.endsWith('.md'));
    return { ...environment, sync, remove, files };
  };

  it('is discarded by deleting its file, which then has the text of the note, if there is one', async () => {
    const { root, sync, remove, files, titles } = await openRejected('New.md', 'Kept.md');
    expect(problemsOf(await sync())).toContainEqual(
      'Plan.md: not applied: The proposal was rejected: Not now (edit the file to propose it again; delete it to discard the text)',
    );
    await remove('Plan.md', 'New.md');
    const summary = await sync();
    expect(summary).toMatchObject({ discarded: ['Plan.md', 'New.md'], missing: [] });
    expect(problemsOf(summary)).toEqual([expect.stringContaining('Kept.md: not applied')]);
    expect(await files()).toEqual(['Kept.md', 'Plan.md']);
    expect(await readFile(join(root, 'Plan.md'), 'utf8')).toBe('one\n');
    expect(await sync()).toMatchObject({ discarded: [], missing: [] });
    expect(titles()).toEqual(['Plan']);
  });

  it('is not discarded by deleting the file of an open one, or most files at once', async () => {
    const { server, sync, remove, files, write } = await openRejected('New.md', 'Other.md');
    await sync();
    await write('Open.md', 'open');
    await sync();
    await remove('Open.md');
    expect(await sync()).toMatchObject({ discarded: [], missing: ['Open.md'] });
    server.proposals.reject('Not now');
    await remove('Plan.md', 'New.md', 'Other.md', 'Open.md');
    expect(await sync()).toMatchObject({
      discarded: [],
      missing: expect.arrayContaining(['New.md']),
    });
    expect(await files()).toEqual(['New.md', 'Open.md', 'Other.md', 'Plan.md']);
  });
});

/** A change of a new note that an earlier version has sent. */
const unsent = (id: string, text: Partial<NoteText>) => ({
  id,
  server: null,
  outstanding: {
    mutation: { mutationId: randomUUID(), baseRevision: null, text: noteText(text) },
    follows: null,
  },
  draft: null,
  refusal: null,
  isUnseen: false,
});

describe('an id in upper case', () => {
  it('is that of the note in lower case', async () => {
    const { server, client } = await openReplica();
    const id = randomUUID();
    await client.edit([{ id: id.toUpperCase(), text: { title: 'Plan' } }]);
    expect((await client.synchronise()).events).toMatchObject([{ id, status: 'applied' }]);
    await client.edit([{ id, text: { title: 'Plans' } }]);
    await client.synchronise();
    expect(client.find(id.toUpperCase())).toMatchObject({ id, text: { title: 'Plans' } });
    expect([...server.activeNotes().keys()]).toEqual([id]);
  });

  it('in a store of an earlier version moves to lower case', async () => {
    const { server, store, open } = await openReplica();
    const id = randomUUID();
    await store.save({ notes: [unsent(id.toUpperCase(), { title: 'Plan' })] });
    const client = await open();
    expect((await client.synchronise()).events).toMatchObject([{ id, status: 'applied' }]);
    expect([client.notes().length, [...server.activeNotes().keys()]]).toEqual([1, [id]]);
  });
});
