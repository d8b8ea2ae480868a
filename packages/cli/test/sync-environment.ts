import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type ApiClient, type Schema } from '@commonplace/client';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import type { Ran } from './command-host.ts';
import { runCli, type RunningCli } from './run-cli.ts';
import { startCommandHost, type CommandHost } from './start-command-host.ts';

/** A test's own company, with an agent and its key. */
export type SyncCompany = {
  readonly companyId: string;
  readonly key: string;
  /** Calls the API as the agent. */
  readonly api: ApiClient;
  readonly notes: () => Promise<Schema<'NoteData'>[]>;
  readonly note: (title: string) => Promise<Schema<'NoteData'>>;
};

/** A temporary folder. */
export type TestFolder = {
  readonly root: string;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  /** The Markdown files by path. */
  readonly files: () => Promise<Record<string, string>>;
  readonly remove: (path: string) => Promise<void>;
};

/** The running system, and functions that create companies and folders. */
export type SyncEnvironment = {
  readonly system: TestSystem;
  readonly company: () => Promise<SyncCompany>;
  readonly folder: () => Promise<TestFolder>;
  /** Runs `commonplace sync` on a folder in a process of its own, which can be killed or go on. */
  readonly sync: (company: SyncCompany, folder: TestFolder, ...args: string[]) => RunningCli;
  /** Runs the program, one command after another in one process. */
  readonly run: CommandHost['run'];
  /** Runs `commonplace sync` on a folder in that process. */
  readonly syncToEnd: (company: SyncCompany, folder: TestFolder, ...args: string[]) => Promise<Ran>;
  readonly stop: () => Promise<void>;
};

/** Starts the real system; each test file starts one. */
export const startSyncEnvironment = async (): Promise<SyncEnvironment> => {
  const system = await startTestSystem('local_trusted');
  const { baseUrl } = system;
  const folders: string[] = [];
  const host = startCommandHost();
  const variables = ({ key }: SyncCompany) => ({
    HOME: '/tmp',
    COMMONPLACE_URL: baseUrl,
    COMMONPLACE_API_KEY: key,
  });
  return {
    system,
    company: () => makeCompany(baseUrl),
    folder: async () => {
      const root = await mkdtemp(join(tmpdir(), 'commonplace-sync-'));
      folders.push(root);
      return openTestFolder(root);
    },
    sync: (company, { root }, ...args) => runCli(['sync', root, ...args], variables(company)),
    run: host.run,
    syncToEnd: (company, { root }, ...args) =>
      host.run({ args: ['sync', root, ...args], env: variables(company), input: '' }),
    stop: async () => {
      await host.stop();
      await system.stop();
      await Promise.all(folders.map((root) => rm(root, { recursive: true, force: true })));
    },
  };
};

const makeCompany = async (baseUrl: string): Promise<SyncCompany> => {
  // On a busy machine the first lookups may time out (503). Retrying a creation is safe here, because a
  // duplicate does not matter.
  const board = createClient({ baseUrl, fetch: fetchWithRetry });
  const { data: company } = await board.post('/api/companies', { body: { name: 'Aurora Labs' } });
  const { data: agent } = await board.post('/api/companies/{companyId}/agents', {
    params: { path: { companyId: company.id } },
    body: { name: 'Ada', role: 'researcher' },
  });
  const created = await board.post('/api/agents/{agentId}/keys', {
    params: { path: { agentId: agent.id } },
    body: { name: 'sync' },
  });
  const { key } = created.data;
  const api = createClient({ baseUrl, credential: key });
  const notes = async (): Promise<Schema<'NoteData'>[]> => {
    const all: Schema<'NoteOrSummary'>[] = [];
    for (let cursor: string | null = null, more = true; more;) {
      const { data } = await api.post('/api/sync', { body: { cursor } });
      const page = data as Schema<'SyncResult'>;
      all.push(...page.changes);
      ({ cursor, hasMore: more } = page);
    }
    return all.filter(({ deletedAt }) => deletedAt === null) as Schema<'NoteData'>[];
  };
  const note = async (title: string): Promise<Schema<'NoteData'>> => {
    const found = (await notes()).find((each) => each.title === title);
    if (!found) {
      throw new Error(`There is no note called ${title}`);
    }
    return found;
  };
  return { companyId: company.id, key, api, notes, note };
};

const fetchWithRetry = async (request: Request): Promise<Response> => {
  for (;;) {
    const response = await fetch(request.clone());
    if (response.status !== 503) {
      return response;
    }
    await sleep(200);
  }
};

const openTestFolder = (root: string): TestFolder => ({
  root,
  write: async (path, text) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  },
  read: (path) => readFile(join(root, path), 'utf8'),
  remove: (path) => rm(join(root, path)),
  files: async () => {
    const names = await readdir(root, { recursive: true });
    const paths = names.filter((name) => name.endsWith('.md') && !name.startsWith('.')).toSorted();
    const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')));
    return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? '']));
  },
});
