/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Whether an undo rejects the open proposals of its source, and how many it did. Undos of the release before reject none.
 * breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    alter table notes.undos
      add column if not exists withdraws_proposals boolean not null default false,
      add column if not exists withdrawn_proposals integer not null default 0
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
