import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createClient, createMemoryStore, openSyncClient } from '@commonplace/client';
import { SimulatedServer } from './simulated-server.ts';

it('an edit of a text that was shown while it was in flight does not conflict with that text', async () => {
  const server = new SimulatedServer();
  let isLost = false;
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: async (request) => {
      const response = await server.fetch(request);
      if (isLost) {
        throw new TypeError('lost on the way back');
      }
      return response;
    },
  });
  const client = await openSyncClient({ api, store: createMemoryStore() });
  const other = await openSyncClient({ api, store: createMemoryStore() });
  const id = randomUUID();
  await client.edit([{ id, text: { title: 'First', content: 'one' } }]);
  await client.synchronise();
  await other.synchronise();
  await other.edit([{ id, text: { title: 'First', content: 'one\ntwo' } }]);
  await other.synchronise();
  await client.edit([{ id, text: { title: 'Second', content: 'one' } }]);
  isLost = true;
  await expect(client.synchronise()).rejects.toThrow('lost');
  isLost = false;
  const shown = client.find(id);
  expect((await client.synchronise()).events).toMatchObject([{ status: 'merged' }]);
  const text = { ...shown?.text, title: 'Third' };
  await client.edit([{ id, text, ...(shown ? { origin: shown.origin } : {}) }]);
  expect((await client.synchronise()).events).toMatchObject([{ status: 'merged' }]);
  expect(client.notes().map((note) => note.text)).toMatchObject([
    { title: 'Third', content: 'one\ntwo' },
  ]);
});
