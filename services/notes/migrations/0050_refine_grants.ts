/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Searches of who sees some folders read the setting once, not for each note that has a word, and frequent words are looked for
 * in the first documents, as for those who see all. A proposal names the earlier credentials whose text it goes on with.
 * breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await matchNotes(knex);
  await matchFrequent(knex);
  await knex.raw('alter table notes.proposals add column if not exists earlier_sources jsonb');
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const own = `own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid`;
/** Null: all are visible. */
const granted = `granted constant text[] := nullif(current_setting('app.folders', true), '')::text[]`;

/** Of a document \`s\`, where some folders are granted; see \`0041_limit_by_folder.ts\`. */
const isOfVisibleNote = `exists (
  select from notes.notes n
  where n.company_id = own and n.id = s.note_id
    and (case when (n.folder || '/') ^@ any (granted) then true end) is not null)`;

const matchNotes = (knex: Migrator): PromiseLike<unknown> =>
  knex.raw(`
    create or replace function notes.match_notes(query tsquery, most integer) returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_seqscan = off
      as $$
        declare
          ${own}; ${granted};
          is_on_citus constant boolean := current_setting('citus.version', true) is not null;
        begin
          if granted is not null and is_on_citus then
            return query
              select s.note_id
              from notes.note_search s
              where s.company_id = own and s.document @@ query and ${isOfVisibleNote}
              limit most;
          elsif granted is not null then
            return query
              select s.note_id
              from notes.note_search s
              where (s.company_id = own) is true and s.document @@ query and ${isOfVisibleNote}
              limit most;
          elsif is_on_citus then
            return query
              select s.note_id
              from notes.note_search s
              where s.company_id = own and s.document @@ query
              limit most;
          else
            return query
              select s.note_id
              from notes.note_search s
              where (s.company_id = own) is true and s.document @@ query
              limit most;
          end if;
        end
      $$
  `);

/** Of the first documents so many are hidden that more of them are looked at; where nearly all are, the index finds the rest. */
const matchFrequent = (knex: Migrator): PromiseLike<unknown> =>
  knex.raw(`
    create or replace function notes.match_frequent(
        query tsquery, looked integer, enough integer, most integer)
      returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_sort = off
      as $$
        declare
          ${own}; ${granted};
          found_ids uuid[] := '{}';
        begin
          if looked > 0 and granted is null then
            found_ids := array(
              select s.note_id
              from (
                select s.note_id, s.document from notes.note_search s
                where s.company_id = own
                order by s.note_id desc
                limit looked
              ) s
              where s.document @@ query
              limit most);
          elsif looked > 0 then
            found_ids := array(
              select s.note_id
              from (
                select s.note_id, s.document from notes.note_search s
                where s.company_id = own
                order by s.note_id desc
                limit 4 * looked
              ) s
              where s.document @@ query and ${isOfVisibleNote}
              limit most);
          end if;
          if looked > 0 and cardinality(found_ids) >= enough then
            return query select unnest(found_ids);
          else
            return query select m.id from notes.match_notes(query, most) as m (id);
          end if;
        end
      $$
  `);
