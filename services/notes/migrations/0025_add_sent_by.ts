type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Which client sent the present version of a note exactly as it is stored: `revision:clientId`, or null. Only that client
 * may get it without its content. The revision is part of it, because the release before leaves the column as it is.
 * breaking: no
 */
export const up = async (knex: Database): Promise<void> => {
  await knex.raw('alter table notes.notes add column if not exists sent_by text');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
