/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The titles that notes had before they were renamed or deleted, so that who looks for one learns where it went. Part of
 * the catalog: filled after the write, from the versions. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.former_titles (
      company_id uuid not null,
      note_id uuid not null,
      title_key text collate "C" not null,
      primary key (company_id, note_id, title_key)
    )
  `);
  await knex.raw('alter table notes.former_titles enable row level security');
  await knex.raw('drop policy if exists own_company on notes.former_titles');
  await knex.raw(`
    create policy own_company on notes.former_titles
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
  await knex.raw(`
    create index if not exists notes_by_former_title
      on notes.former_titles (company_id, title_key, note_id)
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
