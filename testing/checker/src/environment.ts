import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import pg from 'pg';
import type { Caller } from './api-call.ts';
import type { SeededBug } from './seeded-bug.ts';

/** A company under test. */
export type CheckedCompany = Caller & {
  readonly companyId: string;
  /** A credential that reaches one folder. */
  readonly narrow: Caller;
};

/** The running processes, with direct access to their database. */
export type CheckedEnvironment = {
  readonly system: RunningSystem;
  readonly companies: readonly CheckedCompany[];
  /** Creates another company. */
  readonly company: (name: string) => Promise<CheckedCompany>;
  /** Queries PostgreSQL as its administrator; waits while it is unavailable. */
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** Starts the notes processes again, with another bug. Only where the environment has started with one. */
  readonly seed: (bug: SeededBug) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A migrated or empty database to run on, instead of a PostgreSQL of its own. */
type CheckedDatabase = {
  /** Connects a superuser. */
  readonly url: string;
  /** The settings of the services for it. */
  readonly env: Readonly<Record<string, string>>;
  readonly drop: () => Promise<void>;
};

export type OpenDatabase = () => Promise<CheckedDatabase>;

/** The folder that narrow readers reach. */
export const openFolder = 'open';

const hook = new URL('./seed-bug.ts', import.meta.url).href;

/** A bug is put into the sources as they are loaded. */
const withBugs = (bugFile: string) => ({
  runFromSources: ['notes'] as const,
  serviceEnv: { notes: { NODE_OPTIONS: `--import=${hook}`, SEEDED_BUG_FILE: bugFile } },
});

/**
 * Starts a gateway, two notes processes and a PostgreSQL of its own with fsync on, unless a database is given. With a
 * seeded bug, the notes processes load the modified modules.
 */
export const startEnvironment = async (
  bug: SeededBug | null,
  openDatabase?: OpenDatabase,
): Promise<CheckedEnvironment> => {
  const database = await openDatabase?.();
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-checker-'));
  const bugFile = join(dataDir, 'seeded-bug');
  if (bug) {
    await writeFile(bugFile, bug.name);
  }
  const system = await startSystem({
    dataDir,
    mode: 'local_trusted',
    replicas: { notes: 2 },
    isMeshed: true,
    fsync: true,
    output: () => undefined,
    ...(database ? { databaseUrl: database.url } : {}),
    env: { LOG_LEVEL: 'error', RATE_LIMIT_PER_SECOND: '0', ...database?.env },
    ...(bug ? withBugs(bugFile) : {}),
  });
  const sql = administrator(system.databaseUrl);
  const prepare = async (seeded: SeededBug | null): Promise<void> => {
    if (seeded?.prepare !== undefined) {
      await sql(seeded.prepare);
    }
  };
  await prepare(bug);
  const { baseUrl } = system;
  const companies = [await makeCompany(baseUrl, 'Aurora'), await makeCompany(baseUrl, 'Borealis')];
  return {
    system,
    companies,
    company: (name) => makeCompany(baseUrl, name),
    sql,
    seed: async (next) => {
      await writeFile(bugFile, next.name);
      await prepare(next);
      await restartNotes(system);
    },
    stop: async () => {
      // What was written is verified by now: nothing needs the seconds that they give to their clients.
      killServices(system);
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
};

/** Kills the notes processes, which the system starts again, and waits until all respond. */
const restartNotes = async (system: RunningSystem): Promise<void> => {
  const notes = () => system.processes.filter(({ name }) => name === 'notes');
  const pidsOfNotes = () => notes().map(({ pid }) => pid);
  const killed = pidsOfNotes();
  kill(notes());
  while (pidsOfNotes().some((pid) => pid === null || killed.includes(pid))) {
    await sleep(20);
  }
  while ((await fetch(`${system.baseUrl}/readyz`)).status !== 200) {
    await sleep(20);
  }
};

const killServices = ({ processes }: RunningSystem): void =>
  kill(processes.filter(({ name }) => name !== 'postgres'));

const kill = (processes: RunningSystem['processes']): void => {
  for (const { pid } of processes) {
    if (pid !== null) {
      process.kill(pid, 'SIGKILL');
    }
  }
};

/** Runs statements as the administrator; waits while PostgreSQL is unavailable. */
const administrator =
  (databaseUrl: string): CheckedEnvironment['sql'] =>
  async (text, values = []) => {
    for (let attempt = 1; ; attempt += 1) {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query(text, [...values])).rows as Record<string, unknown>[];
      } catch (error) {
        if (attempt > 40) {
          throw error;
        }
        await sleep(250);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  };

const makeCompany = async (baseUrl: string, name: string): Promise<CheckedCompany> => {
  const company = await make(baseUrl, '/api/companies', { name });
  const companyId = String(company['id']);
  const agent = await make(baseUrl, `/api/companies/${companyId}/agents`, {
    name: 'Ada',
    role: 'checker',
  });
  const keys = `/api/agents/${String(agent['id'])}/keys`;
  const key = await make(baseUrl, keys, { name: 'checker' });
  const grants = [{ folder: openFolder, scope: 'read' }];
  const narrow = await make(baseUrl, keys, { name: 'narrow reader', grants });
  const callerWith = (made: typeof key) => ({ baseUrl, key: String(made['key']) });
  return { ...callerWith(key), companyId, narrow: callerWith(narrow) };
};

/** Creates a resource. Local trusted mode needs no credential; 503 is retried. */
const make = async (
  baseUrl: string,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> => {
  for (;;) {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status === 201) {
      return (await response.json()) as Readonly<Record<string, unknown>>;
    }
    if (response.status !== 503) {
      throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    }
    await sleep(200);
  }
};
