import { assertCanWrite } from './assert-can-write.ts';
import type { Db } from './create-db.ts';
import { read } from './read.ts';

/** A table that each service reads. */
type ServiceTable = 'agents.companies' | 'auth.instance' | 'notes.notes';

/**
 * For readiness: rejects while PostgreSQL does not respond, has no such table any more, or cannot write to its disk. A
 * process that is ready knows the time of the database.
 */
export const assertDatabase = async (db: Db, table: ServiceTable): Promise<void> => {
  await read(db, 'global', (tx) => tx.query(`select from ${table} limit 0`));
  await db.clock.synchronise();
  await assertCanWrite(db);
};
