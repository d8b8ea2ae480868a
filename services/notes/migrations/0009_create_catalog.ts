/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The catalog of notes: folders and tags with counts, titles, and the links between notes. It is brought up to
 * date after the write, like the full-text index, so that writes do not pay for it. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createProgress(knex);
  await createEntries(knex);
  await createLabels(knex);
  await createLinks(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/** Confines `notes_app` to the rows of the company its transaction is scoped to. */
const confineToCompany = async (knex: Migrator, table: string): Promise<void> => {
  await knex.raw(`alter table notes.${table} enable row level security`);
  await knex.raw(`
    create policy own_company on notes.${table}
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
};

/**
 * Changes after `change_no` are not in the catalog yet. Those up to `backfill_to` were made before the company
 * had a catalog; they are added in the background, and `backfilled_no` says how far that has come.
 */
const createProgress = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.catalog_progress (
      company_id uuid primary key,
      change_no bigint not null,
      backfilled_no bigint not null,
      backfill_to bigint not null
    )
  `);
  await confineToCompany(knex, 'catalog_progress');
};

/** What the catalog holds of each active note. The newest note of a title is the one that links lead to. */
const createEntries = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.catalog_entries (
      company_id uuid not null,
      note_id uuid not null,
      title_key text collate "C",
      created_at timestamptz(3) not null,
      folder text not null,
      tags text[] not null,
      primary key (company_id, note_id)
    )
  `);
  await confineToCompany(knex, 'catalog_entries');
  await knex.raw(`
    create index catalog_titles on notes.catalog_entries (company_id, title_key, created_at, note_id)
      where title_key is not null
  `);
};

/** How many active notes are in a folder, or have a tag. */
const createLabels = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.label_counts (
      company_id uuid not null,
      kind text not null check (kind in ('folder', 'tag')),
      name text collate "C" not null,
      notes bigint not null,
      primary key (company_id, kind, name)
    )
  `);
  await confineToCompany(knex, 'label_counts');
};

/** Each link of a note, to an id or to a title. Titles are resolved when links are read. */
const createLinks = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.note_links (
      company_id uuid not null,
      source_id uuid not null,
      place integer not null,
      target_id uuid,
      title text,
      title_key text collate "C",
      char_offset integer not null,
      primary key (company_id, source_id, place)
    )
  `);
  await confineToCompany(knex, 'note_links');
  await knex.raw(`
    create index links_by_title on notes.note_links (company_id, title_key, source_id)
      where title_key is not null
  `);
  await knex.raw(`
    create index links_by_target on notes.note_links (company_id, target_id, source_id)
      where target_id is not null
  `);
};
