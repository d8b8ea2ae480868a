import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId, reachOfGrants, type NoteGrant } from '@commonplace/contracts';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import {
  createDb,
  inIndexOrder,
  lookup,
  read,
  stream,
  write,
  type CompanyStream,
  type CompanyTx,
  type Db,
  type Reachable,
} from '../src/index.ts';

const company = companyId.parse(newId());
const awkward = [`it's`, 'a "b"', 'c\\d', '{e,f}', 'g_%', 'ü/\u{1f600}', 'null'];
const folders = ['', 'a', 'a/b', 'ab', 'x', ...awkward];

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  // One connection, so that what a transaction leaves behind would reach the next one.
  db = createDb({ url: database.appUrl('notes'), connectionsMax: 1, onIdleError: () => undefined });
  await write(db, company, (tx) =>
    tx.query(
      `insert into notes.catalog_entries (company_id, note_id, created_at, folder, tags)
       select $1, gen_random_uuid(), now(), f.folder, '{}' from unnest($2::text[]) as f (folder)`,
      [company, folders],
    ),
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const reachOf = (...granted: readonly string[]) =>
  reachOfGrants(
    company,
    granted.map((folder): NoteGrant => ({ folder, scope: 'read', mode: 'direct' })),
  );

const text = 'select e.folder from notes.catalog_entries e order by e.folder collate "C"';
const list = async (tx: CompanyTx): Promise<string[]> => {
  const rows = await tx.query<{ folder: string }>(text, [], 'test: list folders');
  return rows.map(({ folder }) => folder);
};

type Way = (reach: Reachable, work: (tx: CompanyTx) => Promise<string[]>) => Promise<string[]>;

const ways: Readonly<Record<string, Way>> = {
  write: (reach, work) => write(db, reach, work),
  'write in index order': (reach, work) => write(db, inIndexOrder(reach), work),
  read: (reach, work) => read(db, reach, work),
  'read in index order': (reach, work) => read(db, inIndexOrder(reach), work),
  lookup: (reach, work) => lookup(db, reach, work),
};

describe('a reach with folders', () => {
  it.each([
    [['a'], ['a', 'a/b']],
    [['a/b'], ['a/b']],
    [['/'], ['']],
    [
      ['/', 'ab'],
      ['', 'ab'],
    ],
    [['none'], []],
    [[], []],
    [[''], folders.toSorted()],
    ...awkward.map((folder): [string[], string[]] => [[folder], [folder]]),
  ])('of %j shows %j in every kind of transaction', async (granted, expected) => {
    for (const [name, run] of Object.entries(ways)) {
      expect([name, await run(reachOf(...granted), list)]).toEqual([name, expected.toSorted()]);
    }
    const readRows = (tx: CompanyStream) =>
      tx.query<{ folder: string }>(text, [], 'test: stream folders');
    const streamed: string[] = [];
    for await (const rows of stream(db, reachOf(...granted), readRows)) {
      streamed.push(...rows.map(({ folder }) => folder));
    }
    expect(streamed).toEqual(expected.toSorted());
  });

  it('is gone with its transaction', async () => {
    for (const run of Object.values(ways)) {
      expect(await run(reachOf('a'), list)).toEqual(['a', 'a/b']);
      expect(await run(company, list)).toHaveLength(folders.length);
    }
  });

  it('shares no lookup with another one', async () => {
    const reaches = [reachOf('a'), reachOf('x'), company, reachOf('a'), reachOf()];
    const results = await Promise.all(reaches.map((reach) => lookup(db, reach, list)));
    expect(results).toEqual([['a', 'a/b'], ['x'], folders.toSorted(), ['a', 'a/b'], []]);
  });

  it('writes nothing elsewhere', async () => {
    const move = write(db, reachOf('a'), (tx) =>
      tx.query("update notes.catalog_entries set folder = 'x' where folder = 'a'"),
    );
    await expect(move).rejects.toMatchObject({ code: '42501' });
  });
});
