import type { CompanyId } from '@commonplace/contracts';
import pg from 'pg';
import type { NotesWorld } from './notes-world.ts';

/** Locks rows in a transaction of its own, until it is released. */
export const lockRows = async (
  world: NotesWorld,
  statement: string,
  values: readonly string[],
): Promise<pg.Client> => {
  const holder = new pg.Client({ connectionString: world.database.adminUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query(statement, [...values]);
  return holder;
};

/** Holds up every write of the company until it is released. */
export const lockFeed = (world: NotesWorld, companyId: CompanyId): Promise<pg.Client> =>
  lockRows(world, 'select from notes.company_feed where company_id = $1 for update', [companyId]);

/** Holds up the indexing of a company that was searched before, until it is released. */
export const lockIndex = (world: NotesWorld, companyId: CompanyId): Promise<pg.Client> =>
  lockRows(world, 'select from notes.search_progress where company_id = $1 for update', [
    companyId,
  ]);

/** Ends the transaction of a lock. */
export const releaseRows = async (holder: pg.Client): Promise<void> => {
  await holder.query('commit');
  await holder.end();
};
