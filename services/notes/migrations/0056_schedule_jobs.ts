/** What a migration needs of knex: it runs one statement at a time. */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * What the queue needs to be fair: undos come before synchronisations, and a job waits longer after each failure in a row.
 * Undos that the previous release stores count as synchronisations. breaking: no
 */
export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    alter table notes.job_queue
      add column if not exists is_undo boolean not null default false,
      add column if not exists failures integer not null default 0
  `);
};
