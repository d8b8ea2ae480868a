/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * A hash of the text that a document was made of, so that a change of something else does not make it again, and the
 * number of its words, for ranking. Documents of earlier releases have neither until their text changes.
 * breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    alter table notes.note_search
      add column if not exists text_hash bigint,
      add column if not exists words integer
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
