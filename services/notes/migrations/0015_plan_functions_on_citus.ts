/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * The functions in PL/pgSQL, because Citus does not plan the statements of SQL functions with parameters. The company
 * is read first: with its value Citus knows the one node to ask. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createOwnerFunctions(knex);
  await createFunctionsOfAllCompanies(knex);
  await createMatchTags(knex);
  await createMatchNotes(knex);
  await createSimilarWords(knex);
  await createFindTitles(knex);
  await createMatchContext(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const own = "own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid";

const createOwnerFunctions = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.owner_of(note_id uuid) returns uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return (select o.company_id from notes.note_owner o where o.id = note_id);
        end
      $$
  `);
  await knex.raw(`
    create or replace function notes.foreign_ids(ids uuid[]) returns setof uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        declare ${own};
        begin
          return query
            select o.id from notes.note_owner o where o.id = any (ids) and o.company_id <> own;
        end
      $$
  `);
  // Ids that are the company's already are claimed again: their notes were purged. In the order of the ids, so that two
  // companies claiming the same ones cannot deadlock.
  await knex.raw(`
    create or replace function notes.claim_ids(ids uuid[]) returns setof uuid
      language plpgsql volatile security definer set search_path = ''
      as $$
        declare ${own};
        begin
          insert into notes.note_owner (id, company_id)
          select i.id, own from unnest(ids) as i (id) order by i.id
          on conflict (id) do nothing;
          return query
            select o.id from notes.note_owner o where o.id = any (ids) and o.company_id = own;
        end
      $$
  `);
};

const createFunctionsOfAllCompanies = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.heads_of(ids uuid[])
      returns table (company_id uuid, head bigint)
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return query
            select f.company_id, f.head from notes.company_feed f where f.company_id = any (ids);
        end
      $$
  `);
  await knex.raw(`
    create or replace function notes.companies_to_purge(
      tombstones_before timestamptz, mutations_before timestamptz, jobs_before timestamptz
    ) returns setof uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return query
            select f.company_id from notes.company_feed f
            where exists (
              select from notes.notes n
              where n.company_id = f.company_id and n.deleted_at < tombstones_before)
            union
            select f.company_id from notes.company_feed f
            where exists (
              select from notes.mutations m
              where m.company_id = f.company_id and m.created_at < mutations_before)
            union
            select f.company_id from notes.company_feed f
            where exists (
              select from notes.jobs j
              where j.company_id = f.company_id and j.finished_at < jobs_before);
        end
      $$
  `);
};

/** Its keys begin with their company, so it finds no rows of others. */
const createMatchTags = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_tags(wanted text[], most integer) returns setof uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        declare
          keys constant text[] := notes.tag_keys(
            nullif(current_setting('app.company_id', true), '')::uuid, wanted);
        begin
          return query
            select n.id
            from notes.notes n
            where n.tags <> '{}' and notes.tag_keys(n.company_id, n.tags) @> keys
            limit most;
        end
      $$
  `);
};

/**
 * `is true` hides the company from the planner, so that only the index of terms is left. Of a company that has grown
 * since the last ANALYZE it expects one row, and would read all its documents by the primary key.
 */
const createMatchNotes = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_notes(query tsquery, most integer) returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_seqscan = off
      as $$
        declare ${own};
        begin
          return query
            select s.note_id
            from notes.note_search s
            where (s.company_id = own) is true and s.document @@ query
            limit most;
        end
      $$
  `);
};

const createSimilarWords = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.similar_words(
        first text, before text, first_reversed text, before_reversed text,
        shortest integer, longest integer, most integer)
      returns setof text
      language plpgsql stable security definer set search_path = '' set enable_sort = off
      as $$
        declare ${own};
        begin
          return query
            select w.word from notes.search_words w
            where w.company_id = own
              and w.word >= first and w.word < before
              and char_length(w.word) between shortest and longest
            order by w.word
            limit most;
          return query
            select w.word from notes.search_words w
            where w.company_id = own
              and reverse(w.word) collate "C" >= first_reversed
              and reverse(w.word) collate "C" < before_reversed
              and char_length(w.word) between shortest and longest
            order by reverse(w.word) collate "C"
            limit most;
        end
      $$
  `);
};

/**
 * The active notes of these titles in these folders, the newest first; as `match_titles`, with what is read of the
 * notes, because Citus cannot join a function with a tenant table.
 */
const createFindTitles = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.find_titles(folders text[], titles text[], most integer)
      returns table (
        place bigint, key text, id uuid, folder text, title text, revision integer,
        updated_at timestamptz)
      language plpgsql stable security definer set search_path = '' set enable_sort = off
      as $$
        declare ${own};
        begin
          return query
            select w.place, notes.title_key(w.title), m.id, m.folder, m.title, m.revision,
              m.updated_at::timestamptz
            from unnest(folders, titles) with ordinality as w (folder, title, place)
            left join lateral (
              select t.* from (
                select n.id, n.folder, n.title, n.revision, n.updated_at from notes.notes n
                where n.company_id = own
                  and notes.title_key(n.title) collate "C"
                    = any (array[notes.title_key(w.title) collate "C"])
                  and n.folder collate "C" = w.folder collate "C"
                  and n.deleted_at is null
                order by notes.title_key(n.title) collate "C"
              ) t
              order by t.updated_at desc, t.id
              limit most
            ) m on true;
        end
      $$
  `);
};

/**
 * Notes that match the whole query (`has_all`), and if these are fewer than `enough`, notes with each of its words.
 * `is_common` is 1 for a word with more than `most` matches. With `word_max`, words that more of the newest 40 notes
 * have are not looked for, except for the two rarest.
 */
const createMatchContext = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_context(
        whole tsquery, words text[], enough integer, most integer, word_max integer)
      returns table (id uuid, has_all boolean, is_common integer)
      language plpgsql stable security definer set search_path = ''
      as $$
        declare
          ${own};
          found_ids constant uuid[] := array(
            select m.id from notes.match_notes(whole, most + 1) as m (id));
          word record;
        begin
          return query select f.id, true, 0 from unnest(found_ids) as f (id);
          if cardinality(found_ids) >= enough or cardinality(words) = 0 then
            return;
          end if;
          for word in
            with sampled as materialized (
              select s.document from notes.note_search s
              where s.company_id = own
              order by s.note_id desc
              limit 40
            )
            select w.query, w.notes, row_number() over (order by w.notes, w.place) as rarity
            from (
              select q.place, q.query::tsquery as query,
                (select count(*) from sampled s where s.document @@ q.query::tsquery) as notes
              from unnest(words) with ordinality as q (query, place)
            ) w
          loop
            continue when word.notes > word_max and word.rarity > 2;
            return query
              select m.id, false, (count(*) over () > most)::integer
              from notes.match_notes(word.query, most + 1) as m (id);
          end loop;
        end
      $$
  `);
};
