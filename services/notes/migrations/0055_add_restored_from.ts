/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The earlier version that a version restored, null for every other one and for those that were restored before this. The
 * release before leaves it empty. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw('alter table notes.note_revisions add column if not exists restored_from integer');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
