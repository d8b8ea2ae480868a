/** What a migration needs of knex: it runs one statement at a time. */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * When the process started whose profile the vectors of a company are made with: processes that started before it, with
 * another configuration, leave them alone. Null where an earlier release made them. breaking: no
 */
export const up = async (db: Database): Promise<void> => {
  await db.raw(
    'alter table notes.embedding_progress add column if not exists profile_since timestamptz(3)',
  );
};
