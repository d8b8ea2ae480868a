import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RefusedStartError, schemaCheck } from '@commonplace/checks';
import { createDb } from '@commonplace/db';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { schemaNeeds } from '../src/schema-needs.ts';

describeOnCitus('a service on a Citus cluster', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const check = async (isCitus: boolean): Promise<unknown> => {
    const url = database.appUrl('notes');
    const db = createDb({ url, isCitus, onIdleError: () => undefined });
    const [result] = await Promise.allSettled([schemaCheck(db, schemaNeeds)()]);
    await db.close();
    return result;
  };

  it('refuses to start without DATABASE_CITUS=on, and starts with it', async () => {
    const reason = expect.any(RefusedStartError);
    const message = expect.stringContaining('Set DATABASE_CITUS=on');
    const refused = await check(false);
    expect(refused).toMatchObject({ status: 'rejected', reason });
    expect(refused).toMatchObject({ reason: { message } });
    expect(await check(true)).toMatchObject({ status: 'fulfilled' });
  });
});
