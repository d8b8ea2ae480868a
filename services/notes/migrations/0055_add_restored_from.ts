/** What a migration needs of knex: it runs one statement at a time. */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The revision that a revision was restored from; null where nothing was restored, and in all revisions that were written
 * before this migration. The previous release leaves it null. breaking: no
 */
export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table notes.note_revisions add column if not exists restored_from integer');
};
