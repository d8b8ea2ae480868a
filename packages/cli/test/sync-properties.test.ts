import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type SyncOptions,
  type SyncStore,
} from '@commonplace/client';
import { SimulatedServer } from './simulated-server.ts';

/** What goes wrong during one synchronisation. */
type Mishap =
  | { readonly kind: 'none' }
  | { readonly kind: 'request lost' | 'answer lost'; readonly after: number }
  /** The process is killed at a write of the store: before it, or right behind it. */
  | { readonly kind: 'killed before' | 'killed behind'; readonly after: number };

type Step =
  | { readonly do: 'write' | 'retitle' | 'delete'; readonly peer: number; readonly note: number }
  | { readonly do: 'synchronise'; readonly peer: number; readonly mishap: Mishap }
  | { readonly do: 'expire' };

class KilledError extends Error {}

/** A client whose network and whose life break off when they are told to. */
const openPeer = async (server: SimulatedServer) => {
  const kept = createMemoryStore();
  let mishap: Mishap = { kind: 'none' };
  let left = 0;
  const strikes = (kind: Mishap['kind']): boolean => mishap.kind === kind && left-- === 0;
  const store: SyncStore = {
    load: kept.load,
    save: async (write) => {
      if (strikes('killed before')) {
        throw new KilledError();
      }
      await kept.save(structuredClone(write));
      if (strikes('killed behind')) {
        throw new KilledError();
      }
    },
  };
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: async (request) => {
      if (strikes('request lost')) {
        throw new TypeError('lost on the way');
      }
      const answer = await server.fetch(request);
      if (strikes('answer lost')) {
        throw new TypeError('lost on the way back');
      }
      return answer;
    },
  });
  const peer = { client: await openSyncClient({ api, store }) };
  const synchronise = async (next: Mishap, options: SyncOptions = {}): Promise<void> => {
    mishap = next;
    left = 'after' in next ? next.after : 0;
    const failure: unknown = await peer.client
      .synchronise(options)
      .catch((error: unknown) => error);
    mishap = { kind: 'none' };
    if (failure instanceof KilledError) {
      peer.client = await openSyncClient({ api, store });
    } else if (failure instanceof Error && !(failure instanceof TypeError)) {
      throw failure;
    }
  };
  return Object.assign(peer, { synchronise });
};

type Peer = Awaited<ReturnType<typeof openPeer>>;

const linesOf = ({ client }: Peer, id: string): string[] =>
  client.find(id)?.text.content.split('\n').filter(Boolean) ?? [];

/** What a peer knew when it deleted a note may be gone for good; nothing else may. */
type World = {
  readonly server: SimulatedServer;
  readonly peers: readonly Peer[];
  readonly ids: readonly string[];
  readonly written: string[];
  readonly deleted: Set<string>;
};

const take = async ({ server, peers, ids, written, deleted }: World, step: Step): Promise<void> => {
  if (step.do === 'expire') {
    server.expireCursors();
    return;
  }
  const peer = peers[step.peer] as Peer;
  if (step.do === 'synchronise') {
    await peer.synchronise(step.mishap);
    return;
  }
  const id = ids[step.note] ?? '';
  const lines = linesOf(peer, id);
  if (step.do === 'delete') {
    lines.forEach((line) => deleted.add(line));
    await peer.client.edit([{ id, text: null }]);
    return;
  }
  const token = `token ${written.length}`;
  written.push(token);
  const title = step.do === 'retitle' ? token : (peer.client.find(id)?.text.title ?? 'Note');
  await peer.client.edit([{ id, text: { title, content: [...lines, token].join('\n') } }]);
};

const peerIndex = fc.nat({ max: 2 });
const noteIndex = fc.nat({ max: 1 });
const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  fc.constant<Mishap>({ kind: 'none' }),
  fc.record({
    kind: fc.constantFrom('request lost', 'answer lost', 'killed before', 'killed behind'),
    after: fc.nat({ max: 3 }),
  }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('write', 'write', 'write', 'retitle', 'retitle', 'delete'),
      peer: peerIndex,
      note: noteIndex,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('synchronise' as const), peer: peerIndex, mishap }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'expire' }) },
);

const settle = async ({ peers }: World): Promise<void> => {
  for (const peer of [...peers, ...peers, ...peers]) {
    await peer.synchronise({ kind: 'none' });
  }
};

/** Lets peers live through the steps, and then synchronises until nothing is left to do. */
const live = async (peerCount: number, steps: readonly Step[]): Promise<World> => {
  const server = new SimulatedServer();
  const numbers = Array.from({ length: peerCount }, (_, index) => index);
  const peers = await Promise.all(numbers.map(() => openPeer(server)));
  const ids = [randomUUID(), randomUUID()];
  const world: World = { server, peers, ids, written: [], deleted: new Set() };
  for (const each of steps) {
    await take(world, 'peer' in each ? { ...each, peer: each.peer % peerCount } : each);
  }
  await settle(world);
  for (const { client } of peers) {
    expect(new Map(client.notes().map(({ id, text }) => [id, text]))).toEqual(server.living());
    expect(client.pendingCount()).toBe(0);
  }
  return world;
};

describe('clients whose network and lives break off anywhere', () => {
  it('end equal to the server, lose no line, and have no effect twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { server, written, deleted } = await live(3, steps);
        expect(server.repeatedEffects()).toEqual([]);
        const lines = [...server.living().values()].map(({ content }) => content.split('\n'));
        expect(lines.every((each) => new Set(each).size === each.length)).toBe(true);
        const present = new Set(lines.flat());
        expect(written.filter((line) => !present.has(line) && !deleted.has(line))).toEqual([]);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  }, 60_000);

  it('never conflict with themselves when nobody else writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const { server } = await live(1, steps);
        expect(server.conflictCount()).toBe(0);
      }),
      { numRuns: 80, endOnFailure: true },
    );
  }, 60_000);
});

describe('a big first push in the background', () => {
  it('that breaks off half way is finished in the foreground, with nothing applied twice', async () => {
    const server = new SimulatedServer();
    server.pageSize = 1_000;
    server.jobBreaksAfter = 300;
    const peer = await openPeer(server);
    const edits = Array.from({ length: 1_200 }, (_, index) => ({
      id: randomUUID(),
      text: { title: `Note ${index}` },
    }));
    await peer.client.edit(edits);
    const report = await peer.client.synchronise({ inBackground: true });
    expect(report.isComplete).toBe(true);
    expect(report.events).toHaveLength(1_200);
    const titles = [...server.living().values()].map(({ title }) => title);
    expect(titles.toSorted()).toEqual(edits.map(({ text }) => text.title).toSorted());
  });

  it.each<Mishap>([
    { kind: 'killed before', after: 1 },
    { kind: 'killed behind', after: 1 },
    { kind: 'answer lost', after: 0 },
    { kind: 'answer lost', after: 1 },
  ])('that met %j goes on where it was, with nothing applied twice', async (mishap) => {
    const server = new SimulatedServer();
    server.pageSize = 1_000;
    const peer = await openPeer(server);
    const edits = Array.from({ length: 600 }, (_, index) => ({
      id: randomUUID(),
      text: { title: `Note ${index}` },
    }));
    await peer.client.edit(edits);
    await peer.synchronise(mishap, { inBackground: true });
    expect(peer.client.pendingCount()).toBe(600);
    const { events, isComplete } = await peer.client.synchronise();
    expect([events.length, isComplete, peer.client.pendingCount()]).toEqual([600, true, 0]);
    expect(server.living().size).toBe(600);
    expect([...server.living().keys()].toSorted()).toEqual(edits.map(({ id }) => id).toSorted());
  });

  it('whose changes the server refuses is posted once, and ends', async () => {
    const server = new SimulatedServer();
    server.pageSize = 1_000;
    server.refuses = (change) => change.op === 'put' && change.note.title === 'Bad';
    const peer = await openPeer(server);
    const ids = Array.from({ length: 1_100 }, () => randomUUID());
    await peer.client.edit(
      ids.map((id, index) => ({ id, text: { title: index < 550 ? 'Bad' : 'Good' } })),
    );
    const report = await peer.client.synchronise({ inBackground: true });
    expect([report.events.length, report.isComplete]).toEqual([1_100, true]);
    expect(peer.client.pendingCount()).toBe(550);
    expect(server.living().size).toBe(550);
    const posts = server.postCount;
    expect((await peer.client.synchronise({ inBackground: true })).events).toEqual([]);
    // One pull: what was refused waits for an edit, in the background as in the foreground.
    expect(server.postCount - posts).toBe(1);
  });

  it('that the server answers without a word on its changes is an error, not a loop', async () => {
    const server = new SimulatedServer();
    const peer = await openPeer(server);
    await peer.client.edit([{ id: randomUUID(), text: { title: 'Lost' } }]);
    server.forgetsResults = true;
    await expect(peer.client.synchronise()).rejects.toThrow('answered none of 1 changes');
    server.forgetsResults = false;
    expect((await peer.client.synchronise()).isComplete).toBe(true);
    expect(server.living().size).toBe(1);
  });
});
