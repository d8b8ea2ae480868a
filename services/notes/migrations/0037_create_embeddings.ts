/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Embeddings of notes: whether a company's owner switched them on, the vectors of each note, and how far they are made. They
 * are made after the write, by the company's change numbers, like the full-text index. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createSettings(knex);
  await createEmbeddings(knex);
  await createSigns(knex);
  await createProgress(knex);
  await createListOfCompanies(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/** Confines `notes_app` to the rows of the company its transaction is scoped to. */
const confineToCompany = async (knex: Migrator, table: string): Promise<void> => {
  await knex.raw(`alter table notes.${table} enable row level security`);
  await knex.raw(`drop policy if exists own_company on notes.${table}`);
  await knex.raw(`
    create policy own_company on notes.${table}
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
};

/** What owners decide about searches. A company without a row has embeddings switched off. */
const createSettings = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.search_settings (
      company_id uuid not null,
      embeddings boolean not null,
      updated_at timestamptz(3) not null,
      primary key (company_id)
    )
  `);
  await confineToCompany(knex, 'search_settings');
};

/**
 * The vectors of a note, of 8 bits a dimension, one after the other. `profile` names model, dimensions, prefix and the
 * version of the chunks; `skipped` counts chunks that the service refused.
 */
const createEmbeddings = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.note_embeddings (
      company_id uuid not null,
      note_id uuid not null,
      profile text not null,
      text_hash text not null,
      skipped integer not null,
      vectors bytea not null,
      primary key (company_id, note_id)
    )
  `);
  await confineToCompany(knex, 'note_embeddings');
};

/** The signs of the dimensions of each vector, by which PostgreSQL finds the most similar ones of a company. */
const createSigns = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.embedding_signs (
      company_id uuid not null,
      note_id uuid not null,
      place smallint not null,
      signs bit varying not null,
      primary key (company_id, note_id, place),
      foreign key (company_id, note_id) references notes.note_embeddings (company_id, note_id) on delete cascade
    )
  `);
  await confineToCompany(knex, 'embedding_signs');
};

/**
 * `is_large`: so many vectors that looking at the signs of all would take too long. Notes up to `change_no` are embedded with the profile; vectors of notes that were deleted up to `deleted_no` are gone.
 * One process at a time works on a company: the one that has the lease.
 */
const createProgress = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.embedding_progress (
      company_id uuid not null,
      profile text not null,
      change_no bigint not null,
      deleted_no bigint not null,
      leased_until timestamptz(3) not null,
      is_large boolean not null,
      primary key (company_id)
    )
  `);
  await confineToCompany(knex, 'embedding_progress');
};

/** The companies with something to embed or to delete; the profile is null where no service is configured. */
const createListOfCompanies = (knex: Migrator): PromiseLike<unknown> =>
  knex.raw(`
    create or replace function notes.companies_to_embed(current_profile text)
      returns table (company_id uuid, is_enabled boolean)
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return query
            select s.company_id, s.embeddings
            from notes.search_settings s
            left join notes.company_feed f on f.company_id = s.company_id
            left join notes.embedding_progress p on p.company_id = s.company_id
            where case when s.embeddings
              then coalesce(p.deleted_no < f.head, false)
                or (current_profile is not null and f.head > 0
                  and (p.company_id is null or p.profile <> current_profile or p.change_no < f.head))
              else p.company_id is not null end;
        end
      $$
  `);
