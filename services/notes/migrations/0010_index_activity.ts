/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** The versions of a company in the order of their time, for the list of activity. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(
    'create index revisions_by_time on notes.note_revisions (company_id, created_at, note_id, revision)',
  );
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
