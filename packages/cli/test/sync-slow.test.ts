import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createClient, createMemoryStore, openSyncClient } from '@commonplace/client';
import { SimulatedServer } from './simulated-server.ts';

/** A client whose responses take too long if `isSlow` says so, given their length, and the pages that it wanted. */
const slowClient = async (server: SimulatedServer, isSlow: (length: number) => boolean) => {
  const limits: number[] = [];
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: async (request) => {
      const response = await server.fetch(request);
      limits.push(server.lastLimit);
      if (isSlow((await response.clone().text()).length)) {
        throw new DOMException('slow', 'TimeoutError');
      }
      return response;
    },
  });
  return { client: await openSyncClient({ api, store: createMemoryStore() }), limits };
};

/** A server with many notes of a kilobyte. */
const serverWithNotes = async (count: number) => {
  const server = new SimulatedServer();
  Object.assign(server, { pageSize: 500, isChecked: false });
  const { client } = await slowClient(server, () => false);
  const content = 'x'.repeat(1_000);
  const write = async (title: string) => {
    await client.edit([...ids].map((id) => ({ id, text: { title, content } })));
    await client.synchronise();
  };
  const ids = Array.from({ length: count }, () => randomUUID());
  await write('First');
  return { server, write };
};

describe('a pull over a slow connection', () => {
  it('receives less at once, and more again once that gets through', async () => {
    const { server } = await serverWithNotes(1_000);
    const { client, limits } = await slowClient(server, (length) => length > 200_000);
    const { isComplete, pulledIds } = await client.synchronise();
    expect([isComplete, pulledIds.length, client.notes().length]).toEqual([true, 1_000, 1_000]);
    expect([limits.slice(0, 3), limits.slice(11, 15)]).toEqual([
      [500, 1, 62],
      [62, 124, 1, 15],
    ]);
  });

  it('receives less also together with an edit, which is applied once', async () => {
    const { server, write } = await serverWithNotes(500);
    let isSlow = false;
    const { client } = await slowClient(server, (length) => isSlow && length > 200_000);
    await client.synchronise();
    await write('Second');
    isSlow = true;
    const id = randomUUID();
    await client.edit([{ id, text: { title: 'Mine' } }]);
    expect((await client.synchronise()).isComplete).toBe(true);
    expect(client.notes().filter(({ text }) => text.title === 'Second')).toHaveLength(500);
    expect(server.activeNotes().get(id)).toMatchObject({ title: 'Mine' });
  });

  it('ends where a single note takes too long, and begins with whole pages again', async () => {
    const { server } = await serverWithNotes(500);
    let isSlow = true;
    const { client, limits } = await slowClient(server, () => isSlow);
    await expect(client.synchronise()).rejects.toThrow('slow');
    expect(limits).toEqual([500, 1]);
    isSlow = false;
    await client.synchronise();
    expect(limits.slice(2)).toEqual([500]);
  });
});

describe('a server that does not respond', () => {
  /** A client with the usual attempts, and how often it sent something while the server did not respond. */
  const hangingClient = async () => {
    const server = new SimulatedServer();
    const state = { hangs: false, attempts: 0 };
    const api = createClient({
      baseUrl: 'http://simulated.test',
      retry: { baseDelayMs: 1 },
      fetch: async (request) => {
        if (state.hangs) {
          state.attempts += 1;
          throw new DOMException('no response', 'TimeoutError');
        }
        return server.fetch(request);
      },
    });
    return { state, client: await openSyncClient({ api, store: createMemoryStore() }) };
  };

  it.each([
    ['nothing', 0],
    ['many large edits', 30],
  ])('is not taken for a slow one by a client that sends %s', async (_, count) => {
    const { state, client } = await hangingClient();
    await client.synchronise();
    const text = { title: 'Large', content: 'x'.repeat(300_000) };
    await client.edit(Array.from({ length: count }, () => ({ id: randomUUID(), text })));
    state.hangs = true;
    await expect(client.synchronise()).rejects.toThrow('no response');
    // Five attempts of the first request, and one of the smallest.
    expect(state.attempts).toBe(6);
    state.hangs = false;
    await client.synchronise();
    expect([client.pendingCount(), client.notes().length]).toEqual([0, count]);
  });
});
