import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type NoteText,
} from '@commonplace/client';
import { openFolder } from '../src/sync/open-folder.ts';
import { openFolderSync } from '../src/sync/sync-folder.ts';
import type { SyncSummary } from '../src/sync/sync-summary.ts';
import { SimulatedServer } from './simulated-server.ts';

const baseUrl = 'http://simulated.test';
const homes: string[] = [];

type Rule = Parameters<ReturnType<typeof openFolderSync>>[0];

/** Synchronises the opened folder once; by default with `--delete-many`. */
type Look = (rule?: Partial<Rule>) => Promise<SyncSummary>;

/** Removes the folders of all environments. */
export const removeFolders = (): Promise<void[]> =>
  Promise.all(homes.splice(0).map((home) => rm(home, { recursive: true, force: true })));

/** A simulated server, an agent that writes notes to it, and a temporary folder; `proposals`: the agent may propose. */
export const createEnvironment = async ({ proposals = false } = {}) => {
  const server = new SimulatedServer();
  const api = createClient({ baseUrl, retry: { attempts: 1 }, fetch: server.fetch });
  const home = await mkdtemp(join(tmpdir(), 'commonplace-safety-'));
  homes.push(home);
  const root = join(home, 'notes');
  await mkdir(root);
  await mkdir(join(home, 'outside'));
  const agent = await openSyncClient({ api, store: createMemoryStore() });
  /** Opens a folder, and closes it after the work. */
  const withFolder = async <Result>(
    work: (look: Look) => Promise<Result>,
    folder = root,
  ): Promise<Result> => {
    const opened = await openFolder(api, folder, { baseUrl, companyId: 'c', proposals });
    try {
      const sync = openFolderSync(opened.folder);
      const defaults = { mayDelete: true, mayDeleteMany: true, isWatching: false };
      return await work((rule = {}) => sync({ ...defaults, ...rule }));
    } finally {
      await opened.close();
    }
  };
  /** Synchronises a folder once, with `--delete`. */
  const syncOnce = (folder = root): Promise<SyncSummary> => withFolder((look) => look(), folder);
  const agentWrites = async (text: Partial<NoteText> | null, id: string = crypto.randomUUID()) => {
    await agent.synchronise();
    await agent.edit([{ id, text }]);
    await agent.synchronise();
    return id;
  };
  const titles = (): string[] =>
    [...server.activeNotes().values()].map(({ title }) => title).toSorted();
  const write = async (path: string, text: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  return { api, server, home, root, withFolder, syncOnce, agentWrites, titles, write };
};

/** The problems of a synchronisation, as lines. */
export const problemsOf = ({ problems }: Pick<SyncSummary, 'problems'>): string[] =>
  problems.map(({ path, problem }) => `${path}: ${problem}`);
