import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type SyncClient,
  type SyncStore,
} from '@commonplace/client';
import fc from 'fast-check';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
} from './sync-environment.ts';

let environment: SyncEnvironment;
beforeAll(async () => {
  environment = await startSyncEnvironment();
}, 120_000);
afterAll(() => environment.stop());

/** A fault of the network. Each entry of a list affects one request. */
type NetworkFault = 'none' | 'request lost' | 'response lost';

const faultyNetwork =
  (faults: NetworkFault[]) =>
  async (request: Request): Promise<Response> => {
    const fault = faults.shift();
    if (fault === 'request lost') {
      throw new TypeError('lost on the way');
    }
    const response = await fetch(request);
    if (fault === 'response lost') {
      await response.arrayBuffer();
      throw new TypeError('lost on the way back');
    }
    return response;
  };

/** A client that can be reopened from its store at any time. */
const openPeer = async (company: SyncCompany) => {
  const faults: NetworkFault[] = [];
  const store: SyncStore = createMemoryStore();
  const api = createClient({
    baseUrl: environment.system.baseUrl,
    credential: company.key,
    fetch: faultyNetwork(faults),
    retry: { attempts: 1 },
  });
  const peer = { client: await openSyncClient({ api, store }), faults };
  const reopen = async () => {
    peer.client = await openSyncClient({ api, store });
  };
  return Object.assign(peer, { reopen });
};

const textsOf = (client: SyncClient) =>
  Object.fromEntries(client.notes().map(({ id, text, conflictOf }) => [id, { text, conflictOf }]));

const synchroniseTwice = async (clients: readonly SyncClient[]): Promise<void> => {
  for (const client of [...clients, ...clients]) {
    const { isComplete } = await client.synchronise();
    expect(isComplete).toBe(true);
  }
};

type Step =
  | { readonly do: 'edit'; readonly peer: number; readonly note: number; readonly line: number }
  | { readonly do: 'sync'; readonly peer: number; readonly fault: NetworkFault }
  | { readonly do: 'reopen'; readonly peer: number };

const peerIndex = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      peer: peerIndex,
      note: fc.nat({ max: 2 }),
      line: fc.nat({ max: 9 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sync' as const),
      peer: peerIndex,
      fault: fc.constantFrom<NetworkFault>('none', 'request lost', 'response lost'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), peer: peerIndex }) },
);

describe('three clients of one company, over a network that loses requests and responses', () => {
  it('end equal, with every line that any of them wrote, and no line twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const company = await environment.company();
        const peers = [await openPeer(company), await openPeer(company), await openPeer(company)];
        const ids = [randomUUID(), randomUUID(), randomUUID()];
        const tokens: string[] = [];
        for (const each of steps) {
          const peer = peers[each.peer];
          if (!peer) {
            throw new Error('There are three peers');
          }
          if (each.do === 'reopen') {
            await peer.reopen();
          } else if (each.do === 'edit') {
            const id = ids[each.note] ?? '';
            const token = `token ${tokens.length}`;
            tokens.push(token);
            const lines = peer.client.find(id)?.text.content.split('\n') ?? [];
            lines.splice(Math.min(each.line, lines.length), 0, token);
            await peer.client.edit([{ id, text: { title: 'Note', content: lines.join('\n') } }]);
          } else {
            peer.faults.push(each.fault);
            await peer.client.synchronise().catch(() => undefined);
            peer.faults.length = 0;
          }
        }
        await synchroniseTwice(peers.map(({ client }) => client));
        const [first, ...others] = peers.map(({ client }) => textsOf(client));
        others.forEach((other) => expect(other).toEqual(first));
        const written = Object.values(first ?? {}).flatMap(({ text }) => text.content.split('\n'));
        expect(tokens.filter((token) => !written.includes(token))).toEqual([]);
        for (const { text } of Object.values(first ?? {})) {
          const lines = text.content.split('\n').filter(Boolean);
          expect(new Set(lines).size).toBe(lines.length);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 120_000);
});

/** A client whose requests take too long if `isSlow` says so, given their length and those of the earlier ones. */
const slowClient = async (
  credential: string,
  isSlow: (length: number, earlier: readonly number[]) => boolean,
) => {
  const sent: number[] = [];
  const api = createClient({
    baseUrl: environment.system.baseUrl,
    credential,
    retry: { attempts: 1 },
    fetch: async (request) => {
      const { length } = await request.clone().text();
      const fails = isSlow(length, [...sent]);
      sent.push(length);
      if (fails) {
        throw new DOMException('slow', 'TimeoutError');
      }
      return fetch(request);
    },
  });
  return { client: await openSyncClient({ api, store: createMemoryStore() }), sent };
};

describe('a client', () => {
  it('combines edits made while a change is in flight into one change that follows it', async () => {
    const company = await environment.company();
    const [one, two] = [await openPeer(company), await openPeer(company)];
    const id = randomUUID();
    await one.client.edit([{ id, text: { title: 'N', content: 'a\nb\nc\nd\ne' } }]);
    await synchroniseTwice([one.client, two.client]);
    await two.client.edit([{ id, text: { title: 'N', content: 'a\nb\nc\nd\ne, two' } }]);
    await two.client.synchronise();
    await one.client.edit([{ id, text: { title: 'N', content: 'a, one\nb\nc\nd\ne' } }]);
    one.faults.push('response lost');
    await expect(one.client.synchronise()).rejects.toThrow('lost on the way back');
    // The server merged the change, which this client does not know. These edits are based on the text it sent.
    await one.client.edit([{ id, text: { title: 'N', content: 'a, one, again\nb\nc\nd\ne' } }]);
    await one.client.edit([{ id, text: { title: 'N', content: 'a, one, at last\nb\nc\nd\ne' } }]);
    const { events } = await one.client.synchronise();
    expect(events.map(({ status }) => status)).toEqual(['merged', 'merged']);
    await synchroniseTwice([one.client, two.client]);
    expect(two.client.notes().map(({ text }) => text.content)).toEqual([
      'a, one, at last\nb\nc\nd\ne, two',
    ]);
  });

  it.each(['foreground', 'background'])(
    'sends less at once over a slow connection: %s',
    async (mode) => {
      const company = await environment.company();
      const inBackground = mode === 'background';
      const { client, sent } = await slowClient(company.key, (length) => length > 500_000);
      const text = { title: 'Long', content: 'x'.repeat(inBackground ? 2_000 : 40_000) };
      const notes = Array.from({ length: inBackground ? 600 : 40 }, () => ({
        id: randomUUID(),
        text,
      }));
      await client.edit(notes);
      const { isComplete, events } = await client.synchronise({ inBackground });
      expect(isComplete).toBe(true);
      expect(events).toHaveLength(notes.length);
      expect(client.pendingCount()).toBe(0);
      expect(sent.filter((length) => length > 500_000)).toHaveLength(1);
      const later = sent.length;
      await client.edit(notes.map(({ id }) => ({ id, text: { ...text, title: 'Longer' } })));
      await client.synchronise({ inBackground: false });
      expect(Math.max(...sent.slice(later))).toBeLessThan(500_000);
    },
  );

  it('sends as much as before again, some time after a connection was slow', async () => {
    const company = await environment.company();
    const { client, sent } = await slowClient(
      company.key,
      (length, earlier) => length > 500_000 && earlier.every((each) => each < 500_000),
    );
    const ids = Array.from({ length: 24 }, () => randomUUID());
    const edit = (title: string) =>
      client.edit(ids.map((id) => ({ id, text: { title, content: 'x'.repeat(40_000) } })));
    await edit('Stalled');
    await client.synchronise();
    const stalled = Math.max(...sent);
    expect(sent.filter((length) => length > stalled / 2)).toEqual([stalled]);
    const later = sent.length;
    for (const title of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) {
      await edit(title);
      await client.synchronise();
    }
    expect(Math.max(...sent.slice(later))).toBeGreaterThan(stalled * 0.9);
  });

  it('gives up a single change that a slow connection does not bring through', async () => {
    const company = await environment.company();
    const api = createClient({
      baseUrl: environment.system.baseUrl,
      credential: company.key,
      retry: { attempts: 1 },
      fetch: () => Promise.reject(new DOMException('slow', 'TimeoutError')),
    });
    const client = await openSyncClient({ api, store: createMemoryStore() });
    await client.edit([{ id: randomUUID(), text: { title: 'One', content: 'line' } }]);
    await expect(client.synchronise()).rejects.toThrow('slow');
    expect(client.pendingCount()).toBe(1);
  });

  it('keeps a rejected change with the reason, and resends it only after an edit', async () => {
    const company = await environment.company();
    const { client } = await openPeer(company);
    const id = randomUUID();
    await client.edit([{ id, text: { title: 'x'.repeat(501), content: 'precious' } }]);
    const { events } = await client.synchronise();
    expect(events).toMatchObject([{ status: 'rejected', error: { code: 'validation_failed' } }]);
    expect(client.find(id)).toMatchObject({
      text: { content: 'precious' },
      rejection: { code: 'validation_failed' },
    });
    expect((await client.synchronise()).events).toEqual([]);
    await client.edit([{ id, text: { title: 'short', content: 'precious' } }]);
    expect((await client.synchronise()).events).toMatchObject([{ status: 'applied' }]);
  });

  it('starts a full pull when its cursor expired, and loses no unsent edit', async () => {
    const company = await environment.company();
    const store = createMemoryStore();
    const { baseUrl } = environment.system;
    const api = createClient({ baseUrl, credential: company.key });
    const client = await openSyncClient({ api, store });
    const [kept, gone, edited] = [randomUUID(), randomUUID(), randomUUID()];
    await client.edit([kept, gone, edited].map((id) => ({ id, text: { title: id } })));
    await client.synchronise();
    await api.delete('/api/notes/{id}', { params: { path: { id: gone } } });
    const state = await store.load();
    const cursor = Buffer.from(JSON.stringify({ v: 1, epoch: randomUUID() })).toString('base64url');
    await store.save({
      notes: [],
      ...(state ? { progress: { ...state.progress, cursor } } : {}),
    });
    const later = await openSyncClient({ api, store });
    await later.edit([{ id: edited, text: { title: 'edited offline' } }]);
    expect((await later.synchronise()).isComplete).toBe(true);
    expect(
      later
        .notes()
        .map(({ text }) => text.title)
        .toSorted(),
    ).toEqual([kept, 'edited offline'].toSorted());
    expect((await company.notes()).map(({ title }) => title).toSorted()).toEqual(
      [kept, 'edited offline'].toSorted(),
    );
  });
});
