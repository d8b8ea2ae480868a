/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Titles are looked for by their index. To find the newest notes of a title in a large folder, the planner walked over
 * all notes by time: 12 s in a million. The inner query has the order of the index of titles, the only one with that
 * order where sorts are disabled; of a list of one value the planner does not know that any order will do.
 * breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_titles(folders text[], titles text[], most integer)
      returns table (place bigint, key text, id uuid)
      language sql stable security definer set search_path = '' set enable_sort = off
      as $$
        select w.place, notes.title_key(w.title), m.id
        from unnest(folders, titles) with ordinality as w (folder, title, place)
        left join lateral (
          select t.id from (
            select n.id, n.updated_at from notes.notes n
            where n.company_id = nullif(current_setting('app.company_id', true), '')::uuid
              and notes.title_key(n.title) collate "C"
                = any (array[notes.title_key(w.title) collate "C"])
              and n.folder collate "C" = w.folder collate "C"
              and n.deleted_at is null
            order by notes.title_key(n.title) collate "C"
          ) t
          order by t.updated_at desc, t.id
          limit most
        ) m on true
      $$
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
