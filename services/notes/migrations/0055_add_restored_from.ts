/** What a migration needs of knex: it runs one statement at a time. */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The earlier version that a version restored, null for every other one and for those that were restored before this. The
 * release before leaves it empty. breaking: no
 */
export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table notes.note_revisions add column if not exists restored_from integer');
};
