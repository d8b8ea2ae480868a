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

/** A fault during one synchronisation. */
type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'request lost' | 'response lost'; readonly after: number }
  /** The process is killed before or after a write of the store. */
  | { readonly kind: 'killed before' | 'killed after'; readonly after: number };

type Step =
  | { readonly do: 'write' | 'retitle' | 'delete'; readonly peer: number; readonly note: number }
  | { readonly do: 'synchronise'; readonly peer: number; readonly fault: Fault }
  | { readonly do: 'expire' };

class KilledError extends Error {}

/** A client with injected faults of its network and its process. */
const openPeer = async (server: SimulatedServer) => {
  const kept = createMemoryStore();
  let fault: Fault = { kind: 'none' };
  let left = 0;
  const occurs = (kind: Fault['kind']): boolean => fault.kind === kind && left-- === 0;
  const store: SyncStore = {
    load: kept.load,
    save: async (write) => {
      if (occurs('killed before')) {
        throw new KilledError();
      }
      await kept.save(structuredClone(write));
      if (occurs('killed after')) {
        throw new KilledError();
      }
    },
  };
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: async (request) => {
      if (occurs('request lost')) {
        throw new TypeError('lost on the way');
      }
      const response = await server.fetch(request);
      if (occurs('response lost')) {
        throw new TypeError('lost on the way back');
      }
      return response;
    },
  });
  const peer = { client: await openSyncClient({ api, store }) };
  const synchronise = async (next: Fault, options: SyncOptions = {}): Promise<void> => {
    fault = next;
    left = 'after' in next ? next.after : 0;
    const failure: unknown = await peer.client
      .synchronise(options)
      .catch((error: unknown) => error);
    fault = { kind: 'none' };
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
type Environment = {
  readonly server: SimulatedServer;
  readonly peers: readonly Peer[];
  readonly ids: readonly string[];
  readonly written: string[];
  readonly deleted: Set<string>;
};

const take = async (
  { server, peers, ids, written, deleted }: Environment,
  step: Step,
): Promise<void> => {
  if (step.do === 'expire') {
    server.expireCursors();
    return;
  }
  const peer = peers[step.peer] as Peer;
  if (step.do === 'synchronise') {
    await peer.synchronise(step.fault);
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
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant<Fault>({ kind: 'none' }),
  fc.record({
    kind: fc.constantFrom('request lost', 'response lost', 'killed before', 'killed after'),
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
    arbitrary: fc.record({ do: fc.constant('synchronise' as const), peer: peerIndex, fault }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'expire' }) },
);

const settle = async ({ peers }: Environment): Promise<void> => {
  for (const peer of [...peers, ...peers, ...peers]) {
    await peer.synchronise({ kind: 'none' });
  }
};

/** Runs the steps, and then synchronises until nothing is left to do. */
const live = async (peerCount: number, steps: readonly Step[]): Promise<Environment> => {
  const server = new SimulatedServer();
  const numbers = Array.from({ length: peerCount }, (_, index) => index);
  const peers = await Promise.all(numbers.map(() => openPeer(server)));
  const ids = [randomUUID(), randomUUID()];
  const environment: Environment = { server, peers, ids, written: [], deleted: new Set() };
  for (const each of steps) {
    await take(environment, 'peer' in each ? { ...each, peer: each.peer % peerCount } : each);
  }
  await settle(environment);
  for (const { client } of peers) {
    expect(new Map(client.notes().map(({ id, text }) => [id, text]))).toEqual(server.activeNotes());
    expect(client.pendingCount()).toBe(0);
  }
  return environment;
};

describe('clients whose network and processes fail at any point', () => {
  it('end equal to the server, lose no line, and apply no change twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const { server, written, deleted } = await live(3, steps);
        expect(server.repeatedEffects()).toEqual([]);
        const lines = [...server.activeNotes().values()].map(({ content }) => content.split('\n'));
        expect(lines.every((each) => new Set(each).size === each.length)).toBe(true);
        const present = new Set(lines.flat());
        expect(written.filter((line) => !present.has(line) && !deleted.has(line))).toEqual([]);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  }, 60_000);

  it('never conflict with themselves without other writers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const { server } = await live(1, steps);
        expect(server.conflictCount()).toBe(0);
      }),
      { numRuns: 80, endOnFailure: true },
    );
  }, 60_000);
});

describe('a large first push in the background', () => {
  it('whose job fails halfway is finished in the foreground, with nothing applied twice', async () => {
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
    const titles = [...server.activeNotes().values()].map(({ title }) => title);
    expect(titles.toSorted()).toEqual(edits.map(({ text }) => text.title).toSorted());
  });

  it.each<Fault>([
    { kind: 'killed before', after: 1 },
    { kind: 'killed after', after: 1 },
    { kind: 'response lost', after: 0 },
    { kind: 'response lost', after: 1 },
  ])('continues after %j, with nothing applied twice', async (fault) => {
    const server = new SimulatedServer();
    server.pageSize = 1_000;
    const peer = await openPeer(server);
    const edits = Array.from({ length: 600 }, (_, index) => ({
      id: randomUUID(),
      text: { title: `Note ${index}` },
    }));
    await peer.client.edit(edits);
    await peer.synchronise(fault, { inBackground: true });
    expect(peer.client.pendingCount()).toBe(600);
    const { events, isComplete } = await peer.client.synchronise();
    expect([events.length, isComplete, peer.client.pendingCount()]).toEqual([600, true, 0]);
    expect(server.activeNotes().size).toBe(600);
    expect([...server.activeNotes().keys()].toSorted()).toEqual(
      edits.map(({ id }) => id).toSorted(),
    );
  });

  it.each([false, true])(
    'does not keep a note that somebody deleted before its result was read; notes are hidden: %s',
    async (hidesNotes) => {
      const server = new SimulatedServer();
      Object.assign(server, { pageSize: 1_000, hidesNotes });
      const ids = Array.from({ length: 600 }, () => randomUUID());
      const [deleted = '', ...others] = ids;
      const respond = server.fetch;
      const respondAndDelete = async (request: Request): Promise<Response> => {
        const response = await respond(request);
        if (request.method === 'GET') {
          server.remove(deleted);
        }
        return response;
      };
      const peer = await openPeer(Object.assign(server, { fetch: respondAndDelete }));
      await peer.client.edit(ids.map((id, index) => ({ id, text: { title: `Note ${index}` } })));
      await peer.client.synchronise({ inBackground: true });
      expect(
        peer.client
          .notes()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(others.toSorted());
      expect([...server.activeNotes().keys()].toSorted()).toEqual(others.toSorted());
    },
  );

  it('whose changes the server rejects is posted only once', async () => {
    const server = new SimulatedServer();
    server.pageSize = 1_000;
    server.rejects = (change) => change.op === 'put' && change.note.title === 'Bad';
    const peer = await openPeer(server);
    const ids = Array.from({ length: 1_100 }, () => randomUUID());
    await peer.client.edit(
      ids.map((id, index) => ({ id, text: { title: index < 550 ? 'Bad' : 'Good' } })),
    );
    const report = await peer.client.synchronise({ inBackground: true });
    expect([report.events.length, report.isComplete]).toEqual([1_100, true]);
    expect(peer.client.pendingCount()).toBe(550);
    expect(server.activeNotes().size).toBe(550);
    const posts = server.postCount;
    expect((await peer.client.synchronise({ inBackground: true })).events).toEqual([]);
    // One pull: rejected changes wait for an edit, in the background as in the foreground.
    expect(server.postCount - posts).toBe(1);
  });

  it('fails when the response has no results, and does not loop', async () => {
    const server = new SimulatedServer();
    const peer = await openPeer(server);
    await peer.client.edit([{ id: randomUUID(), text: { title: 'Lost' } }]);
    server.omitsResults = true;
    await expect(peer.client.synchronise()).rejects.toThrow('no result for any of 1 changes');
    server.omitsResults = false;
    expect((await peer.client.synchronise()).isComplete).toBe(true);
    expect(server.activeNotes().size).toBe(1);
  });
});
