import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import pg from 'pg';
import {
  createDb,
  inIndexOrder,
  plannedOnce,
  read,
  write,
  type CompanyTx,
  type Db,
} from '../src/index.ts';

const companyA = companyId.parse(newId());
const companyB = companyId.parse(newId());
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client({ connectionString: database.adminUrl });
  await owner.connect();
  await owner.query('set role notes_owner');
  await owner.query(
    'create table notes.scoped (company_id uuid not null, name text primary key, counted bigint not null default 0)',
  );
  await owner.query('alter table notes.scoped enable row level security');
  await owner.query(
    "create policy company on notes.scoped using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)",
  );
  await owner.end();
  db = createDb({ url: database.appUrl('notes'), connectionsMax: 2, onIdleError: () => undefined });
  await insert('of A', companyA);
  await insert('of B', companyB);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const insert = (name: string, company: typeof companyA) =>
  write(db, company, (tx) =>
    tx.query('insert into notes.scoped (company_id, name) values ($1, $2)', [company, name]),
  );
const listNames = (tx: Pick<CompanyTx, 'query'>) =>
  tx.query<{ name: string }>('select name from notes.scoped order by name');

describe('a company transaction', () => {
  it('sees only its company, even without a where', async () => {
    expect(await write(db, companyA, listNames)).toEqual([{ name: 'of A' }]);
    expect(await read(db, companyB, listNames)).toEqual([{ name: 'of B' }]);
  });

  it('cannot write a row of another company', async () => {
    const writing = write(db, companyA, (tx) =>
      tx.query('insert into notes.scoped (company_id, name) values ($1, $2)', [
        companyB,
        'smuggled',
      ]),
    );
    await expect(writing).rejects.toMatchObject({ code: '42501' });
  });

  it('leaves no scope behind on its connection', async () => {
    await write(db, companyA, listNames);
    const seen = await Promise.all([1, 2, 3, 4].map(() => read(db, 'global', listNames)));
    expect(seen.flat()).toEqual([]);
    expect(await write(db, 'global', listNames)).toEqual([]);
  });

  it('fails when a statement failed, although no caller awaited it', async () => {
    const work = write(db, companyA, async (tx) => {
      void tx.query('select 1/0').catch(() => undefined);
      return 'looks fine';
    });
    await expect(work).rejects.toThrow('rolled back');
  });

  it('rolls everything back when the work throws', async () => {
    const work = write(db, companyA, async (tx) => {
      await tx.query('update notes.scoped set counted = 7 where company_id = $1', [companyA]);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await read(db, companyA, (tx) => tx.query('select counted from notes.scoped'))).toEqual([
      { counted: 0 },
    ]);
  });

  it('sends nothing once its work has ended or failed: its connection may be in use again', async () => {
    const ended: CompanyTx[] = [];
    await write(db, companyA, async (tx) => ended.push(tx));
    const failing = write(db, companyA, (tx) => {
      ended.push(tx);
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    expect(ended).toHaveLength(2);
    for (const tx of ended) {
      await expect(listNames(tx)).rejects.toThrow('The transaction is over');
    }
  });

  it('is retried after a deadlock, so that both sides succeed', async () => {
    await insert('first', companyA);
    await insert('second', companyA);
    const both = (order: readonly [string, string]) =>
      write(db, companyA, async (tx) => {
        for (const name of order) {
          await tx.query(
            'update notes.scoped set counted = counted + 1 where company_id = $1 and name = $2',
            [companyA, name],
          );
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      });
    await Promise.all([both(['first', 'second']), both(['second', 'first'])]);
    const rows = await read(db, companyA, (tx) =>
      tx.query("select counted from notes.scoped where name in ('first', 'second')"),
    );
    expect(rows).toEqual([{ counted: 2 }, { counted: 2 }]);
  });

  it('keeps a named statement for the connection, whichever transactions it comes in', async () => {
    const named = (tx: CompanyTx) =>
      tx.query<{ name: string }>(
        'select name from notes.scoped where company_id = $1 and name like $2',
        [tx.companyId, 'of %'],
        'test.named',
      );
    const both = await write(db, companyA, (tx) => Promise.all([named(tx), named(tx)]));
    expect(both).toEqual([[{ name: 'of A' }], [{ name: 'of A' }]]);
    for (let round = 0; round < 4; round += 1) {
      expect(await read(db, companyB, named)).toEqual([{ name: 'of B' }]);
    }
  });

  it('sorts nothing that need not be where it reads in the order of an index, and there alone', async () => {
    const sorts = (tx: CompanyTx) =>
      tx.query<{ sort: string }>("select current_setting('enable_sort') as sort", [], 'test.sort');
    for (let round = 0; round < 3; round += 1) {
      expect(await read(db, inIndexOrder(companyA), sorts)).toEqual([{ sort: 'off' }]);
      expect(await read(db, companyA, sorts)).toEqual([{ sort: 'on' }]);
      expect(await write(db, companyA, sorts)).toEqual([{ sort: 'on' }]);
    }
    expect(await read(db, inIndexOrder(companyB), listNames)).toEqual([{ name: 'of B' }]);
  });

  it('reads and nothing else where it was said to read', async () => {
    const writing = read(db, companyA, (tx) =>
      tx.query('update notes.scoped set counted = 1 where company_id = $1', [companyA]),
    );
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });

  it('is unavailable where the server takes no writes, as a standby that nobody has promoted', async () => {
    const writing = write(db, 'global', async (tx) => {
      await tx.query('set transaction read only');
      return tx.query('update notes.scoped set counted = 1');
    });
    await expect(writing).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('keeps reads of two companies apart that share connections', async () => {
    const companies = Array.from({ length: 60 }, (_, index) => (index % 3 ? companyA : companyB));
    const seen = await Promise.all(companies.map((company) => read(db, company, listNames)));
    companies.forEach((company, index) => {
      expect(seen[index]).toContainEqual({ name: company === companyA ? 'of A' : 'of B' });
      expect(seen[index]).not.toContainEqual({ name: company === companyA ? 'of B' : 'of A' });
    });
  });

  it('scopes every one of several statements of a read', async () => {
    const names = await read(db, companyB, async (tx) => {
      const first = await listNames(tx);
      return [...first, ...(await listNames(tx))];
    });
    expect(names).toEqual([{ name: 'of B' }, { name: 'of B' }]);
  });

  it('scopes where statements keep no names', async () => {
    const nameless = createDb({
      url: database.appUrl('notes'),
      hasNamedStatements: false,
      onIdleError: () => undefined,
    });
    const named = (tx: CompanyTx) =>
      tx.query<{ name: string }>(
        'select name from notes.scoped where company_id = $1 and name like $2',
        [tx.companyId, 'of %'],
        'test.nameless',
      );
    const both = [read(nameless, companyA, named), read(nameless, companyB, named)];
    expect(await Promise.all(both)).toEqual([[{ name: 'of A' }], [{ name: 'of B' }]]);
    await nameless.close();
  });

  it('scopes by SET LOCAL where the server is a Citus coordinator', async () => {
    const citus = createDb({
      url: database.appUrl('notes'),
      isCitus: true,
      onIdleError: () => undefined,
    });
    const ofA = await write(citus, companyA, listNames);
    expect(ofA).toContainEqual({ name: 'of A' });
    expect(ofA).not.toContainEqual({ name: 'of B' });
    expect(await read(citus, companyB, listNames)).toEqual([{ name: 'of B' }]);
    const forged = "' or true --" as typeof companyA;
    await expect(write(citus, forged, listNames)).rejects.toThrow('A company id is a UUID');
    await citus.close();
  });

  it('fails with the error of the first statement that failed, not of one behind it', async () => {
    await expect(
      write(db, companyA, async (tx) => {
        tx.query('select nothing').catch(() => undefined);
        return tx.query('select 1');
      }),
    ).rejects.toMatchObject({ code: '42703' });
  });

  it('gives the connection back after a failed read', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(read(db, companyA, (tx) => tx.query('select nothing'))).rejects.toMatchObject({
        code: '42703',
      });
    }
    expect(db.pool.totalCount - db.pool.idleCount).toBe(0);
    expect(await read(db, companyB, listNames)).toEqual([{ name: 'of B' }]);
  });
});

describe('a statement that is planned once', () => {
  const named = 'scoped: names of any of these companies';
  const statement = 'select name from notes.scoped where company_id = any ($1::uuid[])';
  const plans = `select generic_plans::integer as generic, custom_plans::integer as custom
    from pg_prepared_statements where name = $1`;

  it('has one plan for all values, and sees only its company', async () => {
    const [[both, foreign], counted] = await read(db, companyA, async (tx) => [
      await Promise.all(
        [[companyA, companyB], [companyB]].map((companies) =>
          plannedOnce(tx)(statement, [companies], named),
        ),
      ),
      await tx.query(plans, [named]),
    ]);

    expect(both).toContainEqual({ name: 'of A' });
    expect(both).not.toContainEqual({ name: 'of B' });
    expect(foreign).toEqual([]);
    expect(counted).toEqual([{ generic: 2, custom: 0 }]);
  });

  it('is as any other where a transaction writes', async () => {
    expect(
      await write(db, companyB, (tx) => plannedOnce(tx)(statement, [[companyA, companyB]], named)),
    ).toEqual([{ name: 'of B' }]);
  });
});
