import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '@commonplace/embedded-postgres';
import type { RunningPostgres } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { dumpSchema } from '../src/dump-schema.ts';
import { migrateAll, serviceNames } from '../src/index.ts';
import { migrateService } from '../src/migrate-service.ts';
import { createMigrationSource, namesOfMigrations } from '../src/migration-source.ts';
import { repositoryServices } from '../src/repository-services.ts';
import { lockBounds } from '../src/with-bounded-locks.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

const run = promisify(execFile);
const password = 'password-of-every-role';
const passwords = { auth: password, agents: password, notes: password };
const main = join(import.meta.dirname, '../src/main.ts');

let folder: string;
let postgres: RunningPostgres;

const withClient = async <Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const newDatabase = async (name: string): Promise<string> => {
  await withClient(postgres.url, (client) => client.query(`create database ${name}`));
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
};

const schemasOf = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const texts: string[] = [];
    for (const service of serviceNames) {
      texts.push(await dumpSchema(client, service));
    }
    return texts;
  });

const storedSchemas = (): Promise<string[]> =>
  Promise.all(
    serviceNames.map((service) =>
      readFile(join(repositoryServices, service, 'schema.sql'), 'utf8'),
    ),
  );

const isInsertOfHistory = (statement = ''): boolean =>
  /^insert into "\w+"\."knex_migrations" /i.test(statement);

/** The statement that adds the first or a later migration of a run to its history. */
const insertOfHistory = (count: number) => (statements: readonly string[]) =>
  isInsertOfHistory(statements.at(-1)) && statements.filter(isInsertOfHistory).length === count;

const migrateInAProcess = (url: string) =>
  run(process.execPath, [main], {
    env: {
      DATABASE_URL: url,
      AUTH_DATABASE_PASSWORD: password,
      AGENTS_DATABASE_PASSWORD: password,
      NOTES_DATABASE_PASSWORD: password,
    },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-schema-test-'));
  postgres = await startPostgres({ dataDir: folder, fsync: false });
}, 60_000);

afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

describe('the schema', () => {
  it('is what services/<service>/schema.sql shows (pnpm schema writes it)', async () => {
    const url = await newDatabase('fresh');
    await migrateAll({ adminUrl: url, passwords });
    expect(await schemasOf(url)).toEqual(await storedSchemas());
  }, 60_000);

  it('is the same when each migration is killed before it is in the history, and run again', async () => {
    const url = new URL(await newDatabase('cut'));
    const none = { auth: [], agents: [], notes: [] };
    await migrateAll({ adminUrl: url.href, passwords, only: none });
    const observer = new pg.Client({ connectionString: url.href });
    await observer.connect();
    const options = { observer, bounds: { ...lockBounds, pauseMs: 10 }, log: () => undefined };
    const proxy = await startCuttingProxy(Number(url.port));
    const adminUrl = url.href.replace(`:${url.port}/`, `:${proxy.port}/`);
    try {
      for (const service of serviceNames) {
        const source = await createMigrationSource(join(repositoryServices, service, 'migrations'));
        const migrate = () => migrateService({ ...options, adminUrl, service, source });
        for (const count of source.names.keys()) {
          // The first migration of a run is the one that was cut off in the last run.
          proxy.arm({ step: insertOfHistory(count === 0 ? 1 : 2), when: 'before' });
          await expect(migrate()).rejects.toThrow(/connection (error|terminated)|ECONNRESET/i);
          expect(isInsertOfHistory(proxy.statements().at(-1))).toBe(true);
        }
        proxy.arm(null);
        expect(await migrate()).toEqual(source.names.slice(-1));
      }
      expect(await schemasOf(url.href)).toEqual(await storedSchemas());
    } finally {
      await proxy.close();
      await observer.end();
    }
  }, 120_000);

  it('is the same when four processes migrate at once, and each of them says that it went well', async () => {
    const url = await newDatabase('crowded');
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrateInAProcess(url)));
    const applied = runs.flatMap(({ stdout }) => stdout.match(/^Applied .*/gm) ?? []);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await schemasOf(url)).toEqual(await storedSchemas());
  }, 120_000);
});

describe('a migration', () => {
  /** Statements that running code of the release before may trip over. */
  const contracting =
    /\bdrop\s+(table|column|schema|function|view)\b|\brename\b|\bset\s+not\s+null\b|\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i;

  /** The way back is walked by people, with no release running. Helpers of the way there may stand behind it. */
  const wayForth = (text: string): string => text.replace(/^export const down = [^]*?^};$/m, '');

  it('that takes something away says so in its name, because the release before runs on beside it', async () => {
    for (const service of serviceNames) {
      for (const name of await namesOfMigrations(service)) {
        const text = await readFile(
          join(repositoryServices, service, 'migrations', `${name}.ts`),
          'utf8',
        );
        const isBreaking = name.endsWith('_breaking');
        expect({ service, name, said: /breaking: yes/.test(text) }).toEqual({
          service,
          name,
          said: isBreaking,
        });
        expect(isBreaking || !contracting.test(wayForth(text))).toBe(true);
      }
    }
  });

  it('that builds an index on notes or their revisions lets clients write meanwhile', async () => {
    const blocking =
      /create\s+(unique\s+)?index(?!\s+(\$\{how\}|concurrently))\s+(if not exists\s+)?\S+\s+on\s+(only\s+)?notes\.(notes|note_revisions)\b/;
    // The first seven came before the rule.
    const names = (await namesOfMigrations('notes')).slice(7);
    for (const name of names) {
      const text = await readFile(
        join(repositoryServices, 'notes/migrations', `${name}.ts`),
        'utf8',
      );
      expect({ name, isBlocking: blocking.test(text) }).toEqual({ name, isBlocking: false });
    }
  });
});
