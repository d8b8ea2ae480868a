import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type SyncCounts,
} from '@commonplace/client';
import { SimulatedServer } from './simulated-server.ts';

/** A client whose requests fail with what `fails` returns. */
const openReplica = async (
  server: SimulatedServer,
  fails: (request: Request) => Response | null,
) => {
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: async (request) => fails(request) ?? server.fetch(request),
  });
  return openSyncClient({ api, store: createMemoryStore() });
};

const problem = (status: number, code: string): Response =>
  Response.json({ code, detail: code, status }, { status });

/** A server with notes of the titles. */
const serverWith = async (titles: readonly string[]) => {
  const server = new SimulatedServer();
  const writer = await openReplica(server, () => null);
  const edits = titles.map((title) => ({ id: randomUUID(), text: { title } }));
  await writer.edit(edits);
  await writer.synchronise();
  return { server, writer, ids: edits.map(({ id }) => id) };
};

describe('the report after a synchronisation that failed', () => {
  it('has the notes that it had received, once', async () => {
    const { server, ids } = await serverWith(['One', 'Two', 'Three', 'Four']);
    let posts = 0;
    const client = await openReplica(server, () => {
      posts += 1;
      return posts === 2 ? problem(500, 'unexpected_failure') : null;
    });
    await expect(client.synchronise()).rejects.toThrow('unexpected_failure');
    const counts: SyncCounts[] = [];
    const onProgress = (count: SyncCounts) => counts.push(count);
    const { pulledIds } = await client.synchronise({ onProgress });
    expect(pulledIds.toSorted()).toEqual(ids.toSorted());
    // A page has two notes: progress is that of its own synchronisation.
    expect(counts.at(-1)).toMatchObject({ pulled: 2 });
    expect((await client.synchronise()).pulledIds).toEqual([]);
  });

  it('has each note once, however often a full pull began again', async () => {
    const { server, ids } = await serverWith(['One', 'Two', 'Three', 'Four']);
    const failures = [
      null,
      problem(410, 'cursor_expired'),
      null,
      problem(500, 'unexpected_failure'),
    ];
    const client = await openReplica(server, () => failures.shift() ?? null);
    await expect(client.synchronise()).rejects.toThrow('unexpected_failure');
    const { pulledIds } = await client.synchronise();
    expect(pulledIds.toSorted()).toEqual(ids.toSorted());
  });

  it('has the outcomes of the changes that it had sent', async () => {
    const { server, writer, ids } = await serverWith(['One', 'Two', 'Three']);
    let isDown = false;
    const client = await openReplica(server, () =>
      isDown ? problem(500, 'unexpected_failure') : null,
    );
    await client.synchronise();
    await writer.edit(ids.map((id, index) => ({ id, text: { title: `Theirs ${index}` } })));
    await writer.synchronise();
    const [id = ''] = ids;
    await client.edit([{ id, text: { title: 'Mine' } }]);
    const onProgress = () => {
      isDown = true;
    };
    await expect(client.synchronise({ onProgress })).rejects.toThrow('unexpected_failure');
    isDown = false;
    const { events } = await client.synchronise();
    expect(events).toMatchObject([{ id, status: 'conflict' }]);
    expect(client.find(events[0]?.conflictNoteId ?? '')?.text.title).toBe('Mine');
    expect((await client.synchronise()).events).toEqual([]);
  });
});

it('a report has the outcomes of the background jobs before the one that was refused', async () => {
  const server = new SimulatedServer();
  Object.assign(server, { pageSize: 30_000, isChecked: false });
  const client = await openReplica(server, ({ method }) => {
    if (method === 'GET') {
      server.isReadOnlyBy = 'agent_paused';
    }
    return null;
  });
  const ids = Array.from({ length: 10_600 }, () => randomUUID());
  await client.edit(ids.map((id) => ({ id, text: { title: 'Note' } })));
  const report = await client.synchronise({ inBackground: true });
  expect(report.sendRefusal).not.toBeNull();
  expect(report.events).toHaveLength(10_000);
  expect(client.pendingCount()).toBe(600);
});
