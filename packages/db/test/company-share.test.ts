import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import { createDb, lookup, read, write, type CompanyTx, type Db } from '../src/index.ts';

/** A company whose node hangs, and one on another node. */
const lost = companyId.parse(newId());
const other = companyId.parse(newId());
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb({
    url: database.appUrl('notes'),
    connectionsMax: 6,
    isCitus: true,
    onIdleError: () => undefined,
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const one = (tx: CompanyTx) => tx.query<{ one: number }>('select 1 as one');

describe('on Citus, a company whose statements hang', () => {
  it('leaves connections to other companies, and its own requests are unavailable in time', async () => {
    const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
    const hang = async (tx: CompanyTx) => {
      await one(tx);
      await hanging;
    };
    // As many as a company has of six.
    const held = Promise.all([write(db, lost, hang), read(db, lost, hang)]);
    const doors = [lookup, read, write, lookup, read, write];
    const waiting = Promise.allSettled(doors.map((door) => door(db, lost, hang)));
    for (const door of doors) {
      expect(await door(db, other, one)).toEqual([{ one: 1 }]);
    }
    const refused = { status: 'rejected', reason: { code: 'service_unavailable' } };
    expect(await waiting).toMatchObject(doors.map(() => refused));
    end();
    await held;
    expect(await read(db, lost, one)).toEqual([{ one: 1 }]);
  });
});
