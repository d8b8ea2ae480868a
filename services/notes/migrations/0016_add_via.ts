type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** The protocol with which a version was written: `mcp`, or null for HTTP and for older versions. breaking: no */
export const up = async (knex: Database): Promise<void> => {
  await knex.raw('alter table notes.note_revisions add column if not exists via text');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
