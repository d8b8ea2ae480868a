/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * How often the words of a company occur, for ranking: a snapshot of a sample of its notes, made again in the background
 * when their number has changed by a tenth. Only frequent words are stored. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.search_statistics (
      company_id uuid not null,
      generation integer not null,
      notes bigint not null,
      sampled integer not null,
      word_average real not null,
      primary key (company_id)
    )
  `);
  await knex.raw(`
    create table if not exists notes.search_terms (
      company_id uuid not null,
      term text collate "C" not null,
      notes integer not null,
      primary key (company_id, term)
    )
  `);
  for (const table of ['search_statistics', 'search_terms']) {
    await knex.raw(`alter table notes.${table} enable row level security`);
    await knex.raw(`drop policy if exists own_company on notes.${table}`);
    await knex.raw(`
      create policy own_company on notes.${table}
        using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
    `);
  }
  await createListOfCompanies(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/** The companies whose number of notes differs by a tenth from that of their statistics, with that difference. */
const createListOfCompanies = (knex: Migrator): PromiseLike<unknown> =>
  knex.raw(`
    create or replace function notes.search_statistics_to_make(notes_min bigint)
      returns table (company_id uuid, pending bigint)
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return query
            select f.company_id, abs(f.live_count - coalesce(s.notes, 0))
            from notes.company_feed f
            left join notes.search_statistics s on s.company_id = f.company_id
            where f.live_count >= notes_min
              and abs(f.live_count - coalesce(s.notes, 0)) > coalesce(s.notes, 0) / 10;
        end
      $$
  `);
