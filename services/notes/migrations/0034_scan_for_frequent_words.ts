/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Notes that match a query of frequent words: the first `looked` documents in the order of their ids are read, because
 * the index of terms would list all notes with each of the words. If that finds fewer than `enough`, the index is
 * read all the same. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_frequent(
        query tsquery, looked integer, enough integer, most integer)
      returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_sort = off
      as $$
        declare
          own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
          found_ids uuid[] := '{}';
        begin
          if looked > 0 then
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
          end if;
          if looked > 0 and cardinality(found_ids) >= enough then
            return query select unnest(found_ids);
          else
            return query select m.id from notes.match_notes(query, most) as m (id);
          end if;
        end
      $$
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
