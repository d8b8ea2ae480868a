import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import pg from 'pg';
import { createDb, mayBeCommitted, write, type Db } from '../src/index.ts';

const company = companyId.parse(newId());
let database: TestDatabase;
let plain: Db;
let citus: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client({ connectionString: database.adminUrl });
  await owner.connect();
  await owner.query('set role notes_owner');
  // Each row makes the COMMIT of its transaction fail with the code that it names.
  await owner.query('create table notes.failing (code text)');
  await owner.query(`create function notes.fail() returns trigger language plpgsql as
    $$ begin raise exception 'could not commit' using errcode = new.code; end $$`);
  await owner.query(`create constraint trigger fail after insert on notes.failing
    deferrable initially deferred for each row execute function notes.fail()`);
  await owner.end();
  const open = (isCitus: boolean) =>
    createDb({ url: database.appUrl('notes'), isCitus, onIdleError: () => undefined });
  [plain, citus] = [open(false), open(true)];
});
afterAll(async () => {
  await plain.close();
  await citus.close();
  await database.drop();
});

/** The error of a transaction whose COMMIT fails with a code. */
const failCommit = (db: Db, code: string): Promise<unknown> =>
  write(db, company, (tx) => tx.query('insert into notes.failing values ($1)', [code])).then(
    () => null,
    (error: unknown) => error,
  );

describe('a transaction whose COMMIT failed', () => {
  it.each(['XX000', '08006', '40003', '53100', '57P01', '58030', 'P0001'])(
    'may have been committed with the code %s',
    async (code) => {
      expect(mayBeCommitted(await failCommit(plain, code))).toBe(true);
      expect(mayBeCommitted(await failCommit(citus, code))).toBe(true);
    },
  );

  it.each(['23503', '23505', '40001', '40P01'])(
    'has had no effect where the server rejects it with the code %s',
    async (code) => {
      const error = await failCommit(citus, code);
      expect(error).toMatchObject({ code });
      expect(mayBeCommitted(error)).toBe(false);
    },
  );

  it('is unavailable on Citus where the coordinator lost its worker, and a bug elsewhere', async () => {
    expect(await failCommit(citus, 'XX000')).toMatchObject({
      code: 'service_unavailable',
      cause: { code: 'XX000' },
    });
    expect(await failCommit(plain, 'XX000')).toMatchObject({ code: 'XX000' });
  });
});
