/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** Searches read what they look for, and never all of a company. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  await matchByTerms(knex);
  await createSimilarWords(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/**
 * Of a company that has grown since the last ANALYZE, the planner expects one row, and would read all its documents by
 * the primary key to compare each. `is true` hides the company from that index: only the index of terms is left.
 * Terms begin with digits of their company, so it has hardly any rows of others.
 */
const matchByTerms = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_notes(query tsquery, most integer) returns setof uuid
      language sql stable security definer set search_path = '' set enable_seqscan = off
      as $$
        select s.note_id
        from notes.note_search s
        where (s.company_id = nullif(current_setting('app.company_id', true), '')::uuid) is true
          and s.document @@ query
        limit most
      $$
  `);
};

/**
 * The words that begin or end in a range of the byte order and have about a length. Under row-level security an index
 * on a function is not used (it is not leakproof), so the lookup compares the company itself. Without sorts, each half
 * uses the index with its order.
 */
const createSimilarWords = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.similar_words(
        first text, before text, first_reversed text, before_reversed text,
        shortest integer, longest integer, most integer)
      returns setof text
      language sql stable security definer set search_path = '' set enable_sort = off
      as $$
        (select w.word from notes.search_words w
         where w.company_id = nullif(current_setting('app.company_id', true), '')::uuid
           and w.word >= first and w.word < before
           and char_length(w.word) between shortest and longest
         order by w.word
         limit most)
        union all
        (select w.word from notes.search_words w
         where w.company_id = nullif(current_setting('app.company_id', true), '')::uuid
           and reverse(w.word) collate "C" >= first_reversed
           and reverse(w.word) collate "C" < before_reversed
           and char_length(w.word) between shortest and longest
         order by reverse(w.word) collate "C"
         limit most)
      $$
  `);
};
