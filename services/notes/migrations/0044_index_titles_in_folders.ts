/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that notes are written while the index is built. */
export const config = { transaction: false };

/** The notes of a title in a folder, where links lead first. An entry has 2,500 bytes at most. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists notes.catalog_titles_in_folders');
  await knex.raw(`
    create index ${how} catalog_titles_in_folders
      on notes.catalog_entries (company_id, title_key, folder, created_at, note_id)
      where title_key is not null`);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
