import { createTestDatabase } from '@commonplace/testkit';
import { createDb } from '../src/index.ts';

/** A database of its own, and a pool of one connection that works in it as the notes service does. */
export const openTestDb = async () => {
  const database = await createTestDatabase();
  const url = database.appUrl('notes');
  const db = createDb({ url, connectionsMax: 1, onIdleError: () => undefined });
  const close = async () => {
    await db.close();
    await database.drop();
  };
  return { db, adminUrl: database.adminUrl, close };
};

export type OpenedTestDb = Awaited<ReturnType<typeof openTestDb>>;
