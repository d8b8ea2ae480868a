/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The version to which an undo takes a note back, by whom and from when it is, and how many later versions of others stay. Undos
 * of the release before name none. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    alter table notes.undo_notes
      add column if not exists base_revision integer,
      add column if not exists base_at timestamptz(3),
      add column if not exists base_author json,
      add column if not exists base_others_since integer
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
