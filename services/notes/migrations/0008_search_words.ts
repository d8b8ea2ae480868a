/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The search index in every language: documents are made by the notes service. `rebuilt_no` says up to which
 * change the notes of a company have one; a task in the background makes those of earlier releases anew, and
 * searches find notes of both kinds meanwhile. The release before this one goes on with `search_document`.
 * breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    alter table notes.search_progress add column rebuilt_no bigint not null default 0
  `);
  await createSearchWords(knex);
  await knex.raw(`
    create function notes.searches_to_rebuild()
      returns table (company_id uuid, pending bigint)
      language sql stable security definer set search_path = ''
      as $$
        select p.company_id, p.change_no - p.rebuilt_no
        from notes.search_progress p
        where p.rebuilt_no < p.change_no
      $$
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/**
 * The words of a company's notes, which a search corrects typos by and completes prefixes from. By their beginning
 * and by their end, because one typo leaves one of the halves as it is. A word stays when its last note goes.
 */
const createSearchWords = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.search_words (
      company_id uuid not null,
      word text collate "C" not null,
      primary key (company_id, word)
    )
  `);
  await knex.raw(`
    create index search_words_by_end on notes.search_words (company_id, reverse(word) collate "C")
  `);
  await knex.raw('alter table notes.search_words enable row level security');
  await knex.raw(`
    create policy own_company on notes.search_words
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
};
