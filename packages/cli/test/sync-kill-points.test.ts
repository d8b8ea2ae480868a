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
import { killableDisk, runOnFailingDisk, runUntilKilled } from './killable-disk.ts';
import { SimulatedServer } from './simulated-server.ts';

// Modules imported from here on can be killed.
jest.unstable_mockModule('node:fs/promises', () => killableDisk);
const { openFolder } = await import('../src/sync/open-folder.ts');
const { openFolderSync } = await import('../src/sync/sync-folder.ts');

const roots: string[] = [];
afterEach(() => Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true }))));

/** A simulated server, an agent that writes notes to it, and a folder. */
const createEnvironment = async () => {
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
  /** Opens the folder for several synchronisations, as a watch does. */
  const withFolder = async (
    work: (look: () => Promise<unknown>) => Promise<unknown>,
  ): Promise<void> => {
    const owner = { baseUrl: 'http://simulated.test', companyId: 'company' };
    const opened = await openFolder(api, root, owner);
    const rule = { mayDelete: true, mayDeleteMany: false, isWatching: false };
    try {
      const sync = openFolderSync(opened.folder);
      await work(() => sync(rule));
    } finally {
      await opened.close();
    }
  };
  const syncOnce = (): Promise<void> => withFolder((look) => look());
  return { server, root, agent, syncOnce, withFolder };
};

type Environment = Awaited<ReturnType<typeof createEnvironment>>;

/** Changes notes by title as an agent; null deletes. */
const agentWrites = async (
  { agent }: Environment,
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

/** Makes every kind of change, on both sides, between two synchronisations. */
const prepare = async (
  environment: Environment,
  synchronise: () => Promise<unknown> = environment.syncOnce,
): Promise<void> => {
  const { root } = environment;
  await agentWrites(environment, {
    Changed: { content: 'changed 0\n' },
    Moved: { content: 'moved 0\n', folder: 'round 0' },
    Both: { content: 'agent 0\n', folder: 'both' },
    ...Object.fromEntries(gone.map((title) => [title, { content: `${title}\n` }])),
  });
  await writeFile(join(root, 'Mine.md'), 'mine 0\n');
  await writeFile(join(root, 'Renamed.md'), 'renamed\n');
  await synchronise();
  await agentWrites(environment, {
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

/** The agent makes further changes before the program restarts, which would reveal lost bases. */
const continueAsAgent = (environment: Environment, round: number): Promise<void> =>
  agentWrites(environment, {
    Changed: { content: `changed ${round}\n` },
    Moved: { content: `moved ${round}\n`, folder: `round ${round}` },
    Fresh: { content: `fresh ${round}\n`, folder: round === 3 ? 'elsewhere' : '' },
  });

const filesOf = async ({ root }: Environment): Promise<Record<string, string>> => {
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

/** Kills the program at its nth write, kills the next run too, and then lets it finish. */
const runWithKills = async (first: number, second: number): Promise<boolean> => {
  const environment = await createEnvironment();
  await prepare(environment);
  const isKilled = await runUntilKilled(first, environment.syncOnce);
  await continueAsAgent(environment, 2);
  await runUntilKilled(second, environment.syncOnce);
  await continueAsAgent(environment, 3);
  await environment.syncOnce();
  await environment.syncOnce();
  await expectEveryTextOnce(environment, { first, second });
  return isKilled;
};

/** Lets the disk of a watch fail at its nth write, and once more, and then lets it go on. */
const watchOnFailingDisk = async (first: number, second: number): Promise<boolean> => {
  const environment = await createEnvironment();
  let hasFailed = false;
  await environment.withFolder(async (look) => {
    await prepare(environment, look);
    hasFailed = await runOnFailingDisk(first, look);
    await continueAsAgent(environment, 2);
    await runOnFailingDisk(second, look);
    await continueAsAgent(environment, 3);
    await look();
    await look();
  });
  await expectEveryTextOnce(environment, { first, second });
  return hasFailed;
};

const expectEveryTextOnce = async (
  environment: Environment,
  { first, second }: { readonly first: number; readonly second: number },
): Promise<void> => {
  const files = await filesOf(environment);
  const notes = [...environment.server.activeNotes().values()].map(({ title, folder, content }) => [
    `${folder}${folder && '/'}${title}.md`,
    content,
  ]);
  // The simulated server merges lines in its own order.
  const both = files['both/Both.md']?.split('\n').filter(Boolean).toSorted();
  expect({ first, second, ...files, 'both/Both.md': both }).toEqual({ first, second, ...expected });
  expect(Object.fromEntries(notes)).toEqual(files);
  expect(notes).toHaveLength(Object.keys(expected).length);
  expect(environment.server.conflictCount()).toBe(0);
};

/** How many programs run at the same time. Each waits for the disk most of the time. */
const atOnce = 8;

/** Interrupts the program at each of its writes; returns how many those are. */
const interruptEverywhere = async (
  interrupt: (first: number, second: number) => Promise<boolean>,
): Promise<number> => {
  let writes = 0;
  for (let isThrough = false; !isThrough; writes += atOnce) {
    const firsts = Array.from({ length: atOnce }, (_, index) => writes + index);
    const ends = await Promise.all(firsts.map((first) => interrupt(first, (first * 31) % 97)));
    isThrough = ends.includes(false);
  }
  return writes;
};

it('a sync killed at any of its writes, and again during recovery, ends with every text exactly once', async () => {
  // The writes cover opening, scanning, sending, receiving, moving and removing.
  expect(await interruptEverywhere(runWithKills)).toBeGreaterThan(100);
}, 300_000);

it('a watch whose disk fails at any of its writes, and again, ends with every text exactly once', async () => {
  expect(await interruptEverywhere(watchOnFailingDisk)).toBeGreaterThan(80);
}, 300_000);
