type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * A version whose text the next one repeats has none of its own. The release before does not find such a version, so
 * that the first is written a day after this has run. breaking: no
 */
export const up = async (knex: Database): Promise<void> => {
  await knex.raw('alter table notes.note_revisions alter column content drop not null');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
