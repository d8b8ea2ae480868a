import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type NoteText,
  type SyncClient,
} from '@commonplace/client';
import { live, mortalDisk } from './mortal-disk.ts';
import { SimulatedServer } from './simulated-server.ts';

// What is imported from here on can be killed.
jest.unstable_mockModule('node:fs/promises', () => mortalDisk);
const { openFolder } = await import('../src/sync/open-folder.ts');
const { openFolderSync } = await import('../src/sync/sync-folder.ts');

const roots: string[] = [];
afterEach(() => Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true }))));

/** A server, an agent that writes notes on it, and the folder of somebody else. */
const makeWorld = async () => {
  const server = new SimulatedServer();
  server.pageSize = 3;
  const api = createClient({
    baseUrl: 'http://simulated.test',
    retry: { attempts: 1 },
    fetch: server.fetch,
  });
  const root = await mkdtemp(join(tmpdir(), 'commonplace-kill-'));
  roots.push(root);
  const agent = await openSyncClient({ api, store: createMemoryStore() });
  const look = async (): Promise<void> => {
    const home = { baseUrl: 'http://simulated.test', companyId: 'company' };
    const opened = await openFolder(api, root, home);
    try {
      await openFolderSync(opened.folder)({
        mayDelete: true,
        mayDeleteMany: false,
        isPatient: false,
      });
    } finally {
      await opened.close();
    }
  };
  return { server, root, agent, look };
};

type World = Awaited<ReturnType<typeof makeWorld>>;

/** An agent changes notes by their titles; null deletes. */
const agentWrites = async (
  { agent }: World,
  changes: Readonly<Record<string, Partial<NoteText> | null>>,
): Promise<void> => {
  await agent.synchronise();
  await agent.edit(
    Object.entries(changes).map(([title, change]) => {
      const id = noteOf(agent, title)?.id ?? crypto.randomUUID();
      return { id, text: change && { title, ...change } };
    }),
  );
  await agent.synchronise();
};

const noteOf = (agent: SyncClient, title: string) =>
  agent.notes().find(({ text }) => text.title === title);

const gone = Array.from({ length: 12 }, (_, index) => `Gone ${index}`);

/** Everything that can happen to files, on both sides, between two looks. */
const begin = async (world: World): Promise<void> => {
  const { root, look } = world;
  await agentWrites(world, {
    Changed: { content: 'changed 0\n' },
    Moved: { content: 'moved 0\n', folder: 'round 0' },
    Both: { content: 'agent 0\n', folder: 'both' },
    ...Object.fromEntries(gone.map((title) => [title, { content: `${title}\n` }])),
  });
  await writeFile(join(root, 'Mine.md'), 'mine 0\n');
  await writeFile(join(root, 'Renamed.md'), 'renamed\n');
  await look();
  await agentWrites(world, {
    Changed: { content: 'changed 1\n' },
    Moved: { content: 'moved 1\n', folder: 'round 1' },
    Both: { content: 'agent 0\nagent 1\n', folder: 'both' },
    Fresh: { content: 'fresh 1\n' },
    ...Object.fromEntries(gone.map((title) => [title, null])),
  });
  await writeFile(join(root, 'Mine.md'), 'mine 1\n');
  await writeFile(join(root, 'New.md'), 'new\n');
  await writeFile(join(root, 'both', 'Both.md'), 'agent 0\nmine\n');
  await mkdir(join(root, 'here'));
  await rename(join(root, 'Renamed.md'), join(root, 'here', 'Renamed.md'));
};

/** The agent goes on before the program is started again: bases that were lost would show. */
const goOn = (world: World, round: number): Promise<void> =>
  agentWrites(world, {
    Changed: { content: `changed ${round}\n` },
    Moved: { content: `moved ${round}\n`, folder: `round ${round}` },
    Fresh: { content: `fresh ${round}\n`, folder: round === 3 ? 'elsewhere' : '' },
  });

const filesOf = async ({ root }: World): Promise<Record<string, string>> => {
  const names = await readdir(root, { recursive: true });
  const paths = names.filter((name) => name.endsWith('.md') && !name.startsWith('.')).toSorted();
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? '']));
};

const expected = {
  'Changed.md': 'changed 3\n',
  'Mine.md': 'mine 1\n',
  'New.md': 'new\n',
  'both/Both.md': ['agent 0', 'agent 1', 'mine'],
  'elsewhere/Fresh.md': 'fresh 3\n',
  'here/Renamed.md': 'renamed\n',
  'round 3/Moved.md': 'moved 3\n',
};

/** Kills the program at its nth write, and the next one too; then lets it finish. */
const liveAndDie = async (first: number, second: number): Promise<boolean> => {
  const world = await makeWorld();
  await begin(world);
  const isKilled = await live(first, world.look);
  await goOn(world, 2);
  await live(second, world.look);
  await goOn(world, 3);
  await world.look();
  await world.look();
  const files = await filesOf(world);
  const notes = [...world.server.living().values()].map(({ title, folder, content }) => [
    `${folder}${folder && '/'}${title}.md`,
    content,
  ]);
  // The server keeps the lines of merged notes in an order of its own.
  const both = files['both/Both.md']?.split('\n').filter(Boolean).toSorted();
  expect({ first, second, ...files, 'both/Both.md': both }).toEqual({ first, second, ...expected });
  expect(Object.fromEntries(notes)).toEqual(files);
  expect(notes).toHaveLength(Object.keys(expected).length);
  expect(world.server.conflictCount()).toBe(0);
  return isKilled;
};

/** So many programs live and die beside each other: they wait for the disk most of the time. */
const atOnce = 8;

it('a sync killed at any of its writes, and once more as it recovers, ends with every text once', async () => {
  let writes = 0;
  for (let isThrough = false; !isThrough; writes += atOnce) {
    const firsts = Array.from({ length: atOnce }, (_, index) => writes + index);
    const kills = await Promise.all(firsts.map((first) => liveAndDie(first, (first * 31) % 97)));
    isThrough = kills.includes(false);
  }
  // It was killed at each of them: opening, reading, sending, receiving, moving, removing.
  expect(writes).toBeGreaterThan(100);
}, 300_000);
