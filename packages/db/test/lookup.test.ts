import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId, type CompanyId } from '@commonplace/contracts';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import pg from 'pg';
import { createDb, lookup, read, type CompanyTx, type Db } from '../src/index.ts';

const companies = Array.from({ length: 5 }, () => companyId.parse(newId()));
const [first] = companies as [CompanyId];
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client({ connectionString: database.adminUrl });
  await owner.connect();
  await owner.query('set role notes_owner');
  await owner.query('create table notes.looked_up (company_id uuid primary key)');
  await owner.query('insert into notes.looked_up select unnest($1::uuid[])', [companies]);
  await owner.query('alter table notes.looked_up enable row level security');
  await owner.query(
    "create policy company on notes.looked_up using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)",
  );
  await owner.end();
  db = createDb({ url: database.appUrl('notes'), onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

type Seen = { readonly companyId: string; readonly backend: number };

/** No `where`: only the scope chooses. Returns the process of PostgreSQL as well. */
const seen = (tx: CompanyTx): Promise<Seen[]> => tx.query<Seen>(seenText);
const seenText =
  'select company_id as "companyId", pg_backend_pid() as backend from notes.looked_up';
const busy = (): number => db.pool.totalCount - db.pool.idleCount;

describe('lookups over shared connections', () => {
  it('see their own company each, however many run at once', async () => {
    const requested = Array.from({ length: 300 }, (_, index) => companies[index % 5] ?? first);
    const named = (tx: CompanyTx) => tx.query<Seen>(seenText, [], 'test.seen');
    const results = await Promise.all(requested.map((company) => lookup(db, company, named)));
    expect(results.map((rows) => rows.map((row) => row.companyId))).toEqual(
      requested.map((company) => [company]),
    );
    expect(busy()).toBe(0);
  });

  it('take one connection for eight of them', async () => {
    const results = await Promise.all(companies.map((company) => lookup(db, company, seen)));
    expect(new Set(results.map(([row]) => row?.backend)).size).toBe(1);
    const more = await Promise.all(Array.from({ length: 9 }, () => lookup(db, first, seen)));
    expect(new Set(more.map(([row]) => row?.backend)).size).toBe(2);
  });

  it('fail alone: a statement that is wrong spoils none of its neighbours', async () => {
    const wrong = (tx: CompanyTx) => tx.query('select nothing');
    const results = await Promise.allSettled(
      [seen, wrong, seen].map((each) => lookup<unknown>(db, first, each)),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(busy()).toBe(0);
  });

  it('leave a connection that broke to itself: the next ones get another', async () => {
    const requested = lookup(db, first, seen);
    const broken = [1, 2, 3].map(() => lookup(db, first, (tx) => tx.query('select pg_sleep(60)')));
    const ended = Promise.allSettled(broken);
    const [row] = await requested;
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query('select pg_terminate_backend($1)', [row?.backend]);
    expect((await ended).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await admin.end();
    expect(await lookup(db, first, seen)).toMatchObject([{ companyId: first }]);
    expect(busy()).toBe(0);
  });

  it('leave no scope behind', async () => {
    await lookup(db, first, seen);
    const rows = await read(db, 'global', (tx) => tx.query('select * from notes.looked_up'));
    expect(rows).toEqual([]);
  });

  it('keep nothing when there is no connection to be had', async () => {
    const nowhere = createDb({
      url: 'postgresql://nobody@127.0.0.1:1/none',
      onIdleError: () => undefined,
    });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(lookup(nowhere, first, seen)).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    }
    expect(nowhere.pool.totalCount).toBe(0);
    await nowhere.close();
  });
});

describe('concurrent equal lookups', () => {
  it('are coalesced, and later ones are read again', async () => {
    const when = async (tx: CompanyTx) => {
      const [row] = await tx.query<{ at: string }>(
        'select clock_timestamp()::text as at',
        [],
        'test.when',
      );
      return row?.at ?? '';
    };
    const lookupAll = () => Promise.all(Array.from({ length: 20 }, () => lookup(db, first, when)));
    const [one, ...others] = await lookupAll();
    expect(new Set(others).size).toBe(1);
    expect(others[0]).not.toBe(one);
    expect(await lookupAll()).not.toContain(others[0]);
  });

  it('see what was committed before they began, although an older one is running', async () => {
    const owner = new pg.Client({ connectionString: database.adminUrl });
    await owner.connect();
    const added = companyId.parse(newId());
    const slow = (tx: CompanyTx) =>
      tx.query('select l.* from pg_sleep(1), notes.looked_up l', [], 'test.slow');
    const before = lookup(db, added, slow);
    const sleeping = "select 1 from pg_stat_activity where wait_event = 'PgSleep'";
    while ((await owner.query(sleeping)).rowCount === 0) {
      // Its view of the table is taken by then.
    }
    await owner.query('insert into notes.looked_up values ($1)', [added]);
    const after = lookup(db, added, slow);
    await owner.end();
    expect(await before).toHaveLength(0);
    expect(await after).toHaveLength(1);
  });
});
