/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Indexes for browsing: no filter of the list may cost a walk over all notes of a large company.
 * Flags that few notes have get partial indexes, which cost the others nothing. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  // In byte order, whatever the collation of the database: a folder and everything below is a range.
  await knex.raw('create index notes_by_folder on notes.notes (company_id, folder collate "C")');
  await knex.raw(
    'create index notes_by_author on notes.notes (company_id, updated_by_id, updated_at, id)',
  );
  await knex.raw(
    'create index pinned_notes on notes.notes (company_id, updated_at, id) where pinned',
  );
  await knex.raw(
    'create index archived_notes on notes.notes (company_id, updated_at, id) where archived',
  );
  await indexTags(knex);
  await boundSearch(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/**
 * Tags are indexed together with their company, so that a tag of everybody's costs each company only
 * its own notes. Under row-level security an index on `@>` would not be used (the operator is not
 * leakproof), so the look-up itself is a function that compares the company first.
 */
const indexTags = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.tag_keys(company_id uuid, tags text[]) returns text[]
      language sql immutable parallel safe
      return array(select company_id::text || ' ' || t.tag from unnest(tags) as t (tag))
  `);
  await knex.raw(`
    create index tagged_notes on notes.notes using gin (notes.tag_keys(company_id, tags))
      where tags <> '{}'
  `);
  await knex.raw(`
    create function notes.match_tags(wanted text[], most integer) returns setof uuid
      language sql stable security definer set search_path = ''
      as $$
        select n.id
        from notes.notes n
        where n.tags <> '{}'
          and notes.tag_keys(n.company_id, n.tags) @> notes.tag_keys(
            nullif(current_setting('app.company_id', true), '')::uuid, wanted)
        limit most
      $$
  `);
};

/**
 * Ranking reads every match, 25 µs each: a common word in a large company would take half a minute.
 * So a search first asks for matches up to a bound, and ranks them only when it got all.
 */
const boundSearch = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.match_notes(query tsquery, most integer) returns setof uuid
      language sql stable security definer set search_path = ''
      as $$
        select s.note_id
        from notes.note_search s
        where s.company_id = nullif(current_setting('app.company_id', true), '')::uuid
          and s.document @@ query
        limit most
      $$
  `);
};
