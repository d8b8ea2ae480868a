import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient, createMemoryStore, openSyncClient } from '@commonplace/client';
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
