import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@commonplace/testkit';
import { describeOnCitus } from '@commonplace/testkit/on-citus';
import { createDb, read } from '../src/index.ts';

describeOnCitus('a session of a service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(['auth', 'agents', 'notes'] as const)(
    'of %s gives up a new connection to a lost node after 2 s',
    async (service) => {
      const db = createDb({ url: database.appUrl(service), onIdleError: () => undefined });
      const show = 'show citus.node_connection_timeout';
      const rows = await read(db, 'global', (tx) => tx.query(show));
      await db.close();
      expect(rows).toEqual([{ 'citus.node_connection_timeout': '2s' }]);
    },
  );
});
