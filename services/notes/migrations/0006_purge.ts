/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** What housekeeping needs: what it leaves behind of a note, and where there is work. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  await rememberPurged(knex);
  await nameCompanies(knex);
  // Versions lie in the order of their time, so that this costs next to nothing to keep.
  await knex.raw('create index revisions_by_age on notes.note_revisions using brin (created_at)');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/**
 * A purged note keeps its id, its revisions and this row. Should a client that was away for very long
 * bring it back, its revisions go on where they ended, and none is written twice.
 */
const rememberPurged = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.purged_notes (
      company_id uuid not null,
      note_id uuid not null,
      revision integer not null,
      primary key (company_id, note_id)
    )
  `);
  await knex.raw('alter table notes.purged_notes enable row level security');
  await knex.raw(`
    create policy own_company on notes.purged_notes
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
};

/** Names the companies where something is too old, by a look into an index for each; nothing else. */
const nameCompanies = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.companies_to_purge(
      tombstones_before timestamptz, mutations_before timestamptz, jobs_before timestamptz
    ) returns setof uuid
      language sql stable security definer set search_path = ''
      as $$
        select f.company_id
        from notes.company_feed f
        where exists (
            select from notes.notes n
            where n.company_id = f.company_id and n.deleted_at < tombstones_before
          )
          or exists (
            select from notes.mutations m
            where m.company_id = f.company_id and m.created_at < mutations_before
          )
          or exists (
            select from notes.jobs j
            where j.company_id = f.company_id and j.finished_at < jobs_before
          )
      $$
  `);
};
