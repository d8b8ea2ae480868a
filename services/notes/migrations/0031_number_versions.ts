type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The change number of each version, so that what changed after a position does not depend on clocks. Null for older
 * versions. breaking: no
 */
export const up = async (knex: Database): Promise<void> => {
  await knex.raw('alter table notes.note_revisions add column if not exists change_no bigint');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
