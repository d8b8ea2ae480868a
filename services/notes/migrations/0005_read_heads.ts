/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Where the feeds of several companies stand, for the one poll of a process that serves listeners of
 * many. It tells a number for each id that the caller knows already, and nothing else. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.heads_of(ids uuid[]) returns table (company_id uuid, head bigint)
      language sql stable security definer set search_path = ''
      as $$
        select f.company_id, f.head from notes.company_feed f where f.company_id = any (ids)
      $$
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
