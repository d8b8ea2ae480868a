import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, type RunningPostgres } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { commitForSure, UnknownOutcomeError } from '../src/backup/commit-for-sure.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { writeBackup } from '../src/backup/write-backup.ts';
import { appUrl, migrateAll, namesOfMigrations, serviceNames } from '../src/index.ts';
import { acquireMigrationLock } from '../src/migration-lock.ts';
import { startCuttingProxy, type Cut, type CuttingProxy } from './cutting-proxy.ts';

/** A backup of Monday; the database is at Tuesday. Every restore goes through a proxy that can cut it off. */
const passwords = { auth: 'auth-password', agents: 'agents-password', notes: 'notes-password' };
let folder: string;
let path: string;
let postgres: RunningPostgres;
let proxy: CuttingProxy;
let restoreUrl: string;

const query = async (sql: string, url = postgres.url): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const urlOf = (name: string): string =>
  Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;

/** A copy of a database to which nobody is connected. */
const newDatabase = async (name: string, template = 'template1'): Promise<string> => {
  await query(`create database ${name} template ${template}`, urlOf('template1'));
  return urlOf(name);
};

const makeItTuesday = () => query(`update agents.companies set name = 'Tuesday'`);

type Outcome = {
  readonly cutAt: string | undefined;
  readonly error: string | null;
  /** What the restore said of itself: whether it reached the commit. */
  readonly saysRestored: boolean;
  readonly names: readonly unknown[];
};

/** Restores, cut off at a step, and looks what is in the database when the server has ended what it did. */
const restoreCutOff = async (cut: Cut | null): Promise<Outcome> => {
  proxy.arm(cut);
  let saysRestored = false;
  let error: string | null = null;
  const onCommit = () => {
    saysRestored = true;
  };
  const options = { adminUrl: restoreUrl, passwords, path, isForced: true, onCommit };
  await restoreBackup(options).catch((thrown: Error) => {
    error = thrown.message;
  });
  const cutAt = cut === null ? undefined : proxy.statements().at(-1);
  await untilNobodyWorks();
  const rows = await query('select name from agents.companies');
  return { cutAt, error, saysRestored, names: rows.map(({ name }) => name) };
};

const untilNobodyWorks = async (): Promise<void> => {
  const others = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await query(others)).length > 0) {
    await sleep(5);
  }
};

/**
 * Statements that change something, and the end of every 24th migration. The rest of a thousand (reads, changes of
 * role, the inside of migrations, which are all in one transaction) differs from them in nothing that is stored. Of
 * statements of one kind that follow each other, table after table, the first and the last stand for all.
 * RESTORE_STEPS=all tries every statement.
 */
const stepsToTry = (statements: readonly string[]): number[] => {
  if (process.env['RESTORE_STEPS'] === 'all') {
    return statements.map((_text, index) => index + 1);
  }
  const ends = statements.flatMap((text, index) => (migrationEnd.test(text.trim()) ? [index] : []));
  const changing = statements.flatMap((text, index) => {
    const [kind] = changes.exec(text.trim()) ?? [];
    return kind === undefined ? [] : [{ index, kind: kind.toLowerCase() }];
  });
  const atEdges = changing.filter(
    ({ kind }, place) => changing[place - 1]?.kind !== kind || changing[place + 1]?.kind !== kind,
  );
  const chosen = [
    ...ends.filter((_index, place) => place % 24 === 0),
    ...atEdges.map((each) => each.index),
  ];
  return [...new Set(chosen)].map((index) => index + 1).toSorted((one, other) => one - other);
};

const migrationEnd = /^insert into "\w+"\."knex_migrations" /i;

const changes =
  /^(?:begin|commit|-- Roles|create temporary|insert into pg_temp|drop|truncate|end of copy|update notes|delete|analyze)/i;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-steps-'));
  path = join(folder, 'monday.backup');
  postgres = await startPostgres({ dataDir: folder, fsync: false });
  await migrateAll({ adminUrl: postgres.url, passwords });
  await newDatabase('migrated', new URL(postgres.url).pathname.slice(1));
  await query(
    `insert into agents.companies values (gen_random_uuid(), 'Monday', 'active', now(), now())`,
  );
  await query(
    `insert into auth.oauth_records (kind, digest, payload, last_used_at)
     select kind, repeat('a', 64), '{}', now()
       from unnest(array['AccessToken', 'AuthorizationCode', 'Client', 'Grant', 'Interaction', 'RefreshToken']) kind`,
  );
  await writeBackup(postgres.url, createWriteStream(path, { mode: 0o600 }));
  proxy = await startCuttingProxy(Number(new URL(postgres.url).port));
  const url = new URL(postgres.url);
  url.port = String(proxy.port);
  restoreUrl = url.href;
}, 120_000);

afterAll(async () => {
  await proxy.close();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

describe('a restore', () => {
  it('keeps clients and grants of the OAuth server, and neither codes nor tokens', async () => {
    expect(await restoreCutOff(null)).toMatchObject({ error: null });
    expect(await query('select kind from auth.oauth_records order by kind')).toEqual([
      { kind: 'Client' },
      { kind: 'Grant' },
    ]);
  }, 60_000);
});

describe('a backup of release 2.0.10', () => {
  /** Its last migrations. */
  const last = { auth: '0005', agents: '0010', notes: '0007' };

  const insertNote = `
    with note as (
      select gen_random_uuid() as company, gen_random_uuid() as id, 'Orchid' as title, 'Water it' as text, now() as at
    ), feed as (
      insert into notes.company_feed (company_id, epoch, head, live_count) select company, id, 1, 1 from note
    ), version as (
      insert into notes.note_revisions
      select company, id, 1, title, text, '', '{}', false, false, '{}', 8, false, at, 'agent', id, null from note
    )
    insert into notes.notes
    select company, id, 1, 1, title, text, '', '{}', false, false, '{}', 8, text, 100, null,
      at, 'agent', id, null, at, 'agent', id, null, null
    from note`;

  it('is restored to the schema of this one, with its notes', async () => {
    const older = join(folder, 'older.backup');
    const only: Record<string, string[]> = { auth: [], agents: [], notes: [] };
    const all: typeof only = {};
    for (const service of serviceNames) {
      all[service] = await namesOfMigrations(service);
      only[service] = all[service].filter((name) => name.slice(0, 4) <= last[service]);
    }
    const from = await newDatabase('older');
    await migrateAll({ adminUrl: from, passwords, only });
    await query(insertNote, from);
    await writeBackup(from, createWriteStream(older, { mode: 0o600 }));
    const adminUrl = await newDatabase('restored');
    await restoreBackup({ adminUrl, passwords, path: older, isForced: false });
    const notes = `
      select n.title, n.content, v.revision = n.revision and n.revision > 1 as "isRaised"
      from notes.notes n join notes.note_revisions v on v.note_id = n.id`;
    expect(await query(notes, adminUrl)).toEqual([
      { title: 'Orchid', content: 'Water it', isRaised: true },
    ]);
    for (const service of serviceNames) {
      const applied = await query(`select name from ${service}.knex_migrations`, adminUrl);
      expect(applied.map(({ name }) => name).toSorted()).toEqual(all[service]);
    }
  }, 60_000);
});

describe('the catalog of a backup', () => {
  /** As it is before PostgreSQL 18, and in a database of such a server that was upgraded in place. */
  const foldOtherwise = `
    create or replace function notes.title_key(title text) returns text language plpgsql immutable parallel safe
      as $$ begin return lower(upper(normalize(title, NFC) collate "und-x-icu")); end $$`;
  const insertEntry = `
    with entry as (select gen_random_uuid() as company, gen_random_uuid() as id),
    feed as (
      insert into notes.company_feed (company_id, epoch, head) select company, id, 1 from entry
    ), progress as (
      insert into notes.catalog_progress select company, 1, 1, 1 from entry
    )
    insert into notes.catalog_entries
    select company, id, notes.title_key('Οδός'), now(), '', '{}' from entry`;

  it.each([
    ['is restored', 'select', { entries: 1, backfills: 0 }],
    [
      'is left to the backfill if its server folds titles otherwise',
      foldOtherwise,
      { entries: 0, backfills: 1 },
    ],
  ])(
    '%s',
    async (_, change, expected) => {
      const file = join(folder, `catalog-${expected.entries}.backup`);
      const from = await newDatabase(`catalog_${expected.entries}`, 'migrated');
      await query(change, from);
      await query(insertEntry, from);
      await writeBackup(from, createWriteStream(file, { mode: 0o600 }));
      const adminUrl = await newDatabase(`catalog_of_${expected.entries}`);
      await restoreBackup({ adminUrl, passwords, path: file, isForced: false });
      const counts = `select (select count(*) from notes.catalog_entries)::int as entries,
      (select count(*) from notes.catalogs_to_backfill())::int as backfills`;
      expect(await query(counts, adminUrl)).toEqual([expected]);
    },
    60_000,
  );
});

describe('a restore that is cut off', () => {
  it('at any statement leaves the old state or the new one, and says which', async () => {
    await makeItTuesday();
    expect(await restoreCutOff(null)).toMatchObject({ error: null, names: ['Monday'] });
    const steps = stepsToTry(proxy.statements());
    await makeItTuesday();
    const wrong: Outcome[] = [];
    const states = new Set<boolean>();
    for (const step of steps) {
      const outcome = await restoreCutOff({ step, when: 'before' });
      const expected = outcome.saysRestored ? 'Monday' : 'Tuesday';
      if (outcome.error === null || String(outcome.names) !== expected) {
        wrong.push(outcome);
      }
      states.add(outcome.saysRestored);
      if (outcome.saysRestored) {
        await makeItTuesday();
      }
    }
    console.log(`cut off at ${steps.length} of ${proxy.statements().length} statements`);
    expect(wrong).toEqual([]);
    expect(states).toEqual(new Set([false, true]));
  }, 900_000);

  /** The transaction in which everything is replaced is knex's, which writes so. */
  const replaced = /^COMMIT;/;

  it('when the response to its COMMIT is on the way looks its outcome up', async () => {
    await makeItTuesday();
    expect(await restoreCutOff({ step: replaced, when: 'response' })).toMatchObject({
      saysRestored: true,
      names: ['Monday'],
    });
  }, 60_000);
});

describe('a backup', () => {
  it('says that it waits for a migration', async () => {
    const migration = new pg.Client({ connectionString: postgres.url });
    await migration.connect();
    await acquireMigrationLock(migration, 'alone');
    const said: string[] = [];
    let released: Promise<void> = Promise.resolve();
    const log = (line: string): void => {
      said.push(line);
      released = migration.end();
    };
    await writeBackup(postgres.url, createWriteStream(join(folder, 'waited.backup')), log);
    await released;
    expect(said).toEqual([expect.stringMatching(/^Waiting until the migration/)]);
  });
});

describe('a service that starts while a restore waits to replace the tables', () => {
  it('ends the restore, because it has read what was there, and everything stays as it was', async () => {
    const adminUrl = await newDatabase('in_use', 'migrated');
    const reader = new pg.Client({ connectionString: adminUrl });
    const service = new pg.Client({ connectionString: appUrl(adminUrl, 'notes', passwords.notes) });
    let started: Promise<unknown> = Promise.resolve();
    const log = (line: string): void => {
      if (line.startsWith('Loading')) {
        started = service.connect().then(() => reader.query('commit'));
      }
    };
    await reader.connect();
    try {
      await reader.query('begin; lock table agents.companies in access share mode');
      await expect(
        restoreBackup({ adminUrl, passwords, path, isForced: true, log }),
      ).rejects.toThrow(/Services are connected to the database \(notes_app\)/);
      await started;
      expect(await query('select from agents.companies', adminUrl)).toEqual([]);
    } finally {
      await Promise.all([reader.end(), service.end()]);
    }
  }, 60_000);
});

describe('a transaction whose COMMIT got no response', () => {
  const lost = new Error('Connection terminated unexpectedly');
  const patience = { attempts: 2, pauseMs: 1 };

  /** Commits or rolls back a transaction, and loses the response. */
  const end = (adminUrl: string, how: 'commit' | 'rollback') =>
    commitForSure(
      adminUrl,
      async (beforeCommit) => {
        const client = new pg.Client({ connectionString: postgres.url });
        await client.connect();
        await client.query('begin');
        await beforeCommit(client);
        await client.query(how);
        await client.end();
        throw lost;
      },
      patience,
    );

  it('is what the server says it is, and unknown when the server does not come back', async () => {
    await expect(end(postgres.url, 'commit')).resolves.toBeUndefined();
    await expect(end(postgres.url, 'rollback')).rejects.toBe(lost);
    const nobody = 'postgresql://nobody@127.0.0.1:1/none';
    await expect(end(nobody, 'commit')).rejects.toThrow(UnknownOutcomeError);
  });
});
