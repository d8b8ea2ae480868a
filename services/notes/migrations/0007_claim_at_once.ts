/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Claims ids as `claim_ids` does, and gives how many are now the company's. Nearly always nobody has any of
 * them: then they are written without looking for others first, at two thirds of what it costs PostgreSQL.
 * The release before goes on with `claim_ids`. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.claim(ids uuid[]) returns integer
      language plpgsql volatile security definer set search_path = ''
      as $$
        declare
          own uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          insert into notes.note_owner (id, company_id)
          select i.id, own from unnest(ids) as i (id) order by i.id;
          return cardinality(ids);
        exception when unique_violation then
          return (select count(*) from notes.claim_ids(ids));
        end
      $$
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
