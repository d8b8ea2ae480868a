/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * On Citus, searches for words and tags name the company, so that one shard is read. Elsewhere they do not,
 * because that condition leads the planner to a wrong index. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createMatchTags(knex);
  await createMatchNotes(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const own = "own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid";

/** The setting exists on every server that loads Citus. */
const isOnCitus = "current_setting('citus.version', true) is not null";

/** The keys of tags begin with their company, so without its condition too no rows of others are found. */
const createMatchTags = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_tags(wanted text[], most integer) returns setof uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        declare
          ${own};
          keys constant text[] := notes.tag_keys(own, wanted);
        begin
          if ${isOnCitus} then
            return query
              select n.id
              from notes.notes n
              where n.company_id = own
                and n.tags <> '{}' and notes.tag_keys(n.company_id, n.tags) @> keys
              limit most;
          else
            return query
              select n.id
              from notes.notes n
              where n.tags <> '{}' and notes.tag_keys(n.company_id, n.tags) @> keys
              limit most;
          end if;
        end
      $$
  `);
};

/**
 * `is true` hides the company from the planner, so that only the index of terms is left. Of a company that has grown
 * since the last ANALYZE it expects one row, and would read all its documents by the primary key. On Citus it may do
 * that until the next automatic ANALYZE of the shard, instead of reading all shards in every search.
 */
const createMatchNotes = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_notes(query tsquery, most integer) returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_seqscan = off
      as $$
        declare ${own};
        begin
          if ${isOnCitus} then
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
};
