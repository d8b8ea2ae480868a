import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem, type RunningSystem } from '@commonplace/standalone';
import pg from 'pg';
import type { Caller } from './call.ts';
import type { SeededBug } from './seeded-bugs.ts';

/** A company under test. */
export type CheckedCompany = Caller & { readonly companyId: string };

/** The real processes, and a way to look behind them. */
export type CheckedWorld = {
  readonly system: RunningSystem;
  readonly companies: readonly CheckedCompany[];
  /** One more company. */
  readonly company: (name: string) => Promise<CheckedCompany>;
  /** Asks PostgreSQL as its administrator; waits while it is away. */
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  readonly stop: () => Promise<void>;
};

const hook = new URL('./seed-bug.ts', import.meta.url).href;

/**
 * Starts a gateway over two notes processes and a PostgreSQL of its own that really writes to the
 * disk. With a seeded bug, the notes processes load one of their modules with that bug in it.
 */
export const startWorld = async (bug: SeededBug | null): Promise<CheckedWorld> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-checker-'));
  const system = await startSystem({
    dataDir,
    mode: 'local_trusted',
    replicas: { notes: 2 },
    isMeshed: true,
    fsync: true,
    output: () => undefined,
    env: { LOG_LEVEL: 'error', RATE_LIMIT_PER_SECOND: '0' },
    serviceEnv: bug ? { notes: { NODE_OPTIONS: `--import=${hook}`, SEEDED_BUG: bug.name } } : {},
  });
  const sql = async (text: string, values: readonly unknown[] = []) => {
    for (let attempt = 1; ; attempt += 1) {
      const client = new pg.Client({ connectionString: system.databaseUrl });
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
  if (bug?.prepare !== undefined) {
    await sql(bug.prepare);
  }
  const { baseUrl } = system;
  const companies = [await makeCompany(baseUrl, 'Aurora'), await makeCompany(baseUrl, 'Borealis')];
  return {
    system,
    companies,
    company: (name) => makeCompany(baseUrl, name),
    sql,
    stop: async () => {
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const makeCompany = async (baseUrl: string, name: string): Promise<CheckedCompany> => {
  const company = await make(baseUrl, '/api/companies', { name });
  const companyId = String(company['id']);
  const agent = await make(baseUrl, `/api/companies/${companyId}/agents`, {
    name: 'Ada',
    role: 'checker',
  });
  const key = await make(baseUrl, `/api/agents/${String(agent['id'])}/keys`, { name: 'checker' });
  return { baseUrl, companyId, key: String(key['key']) };
};

/** The board of local trusted mode needs no credential; a busy start is waited out. */
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
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    }
    await sleep(200);
  }
};
