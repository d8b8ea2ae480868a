/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * On Citus, searches for words name the company again, so that one shard is read, and those that are confined to folders
 * are possible at all: without the company, the join with the notes is one between nodes. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_notes(query tsquery, most integer) returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_seqscan = off
      as $$
        declare
          own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
          is_confined constant boolean := ${folders} is not null;
          is_on_citus constant boolean := current_setting('citus.version', true) is not null;
        begin
          if is_confined and is_on_citus then
            return query
              select s.note_id
              from notes.note_search s
              where s.company_id = own and s.document @@ query and ${isOfVisibleNote}
              limit most;
          elsif is_confined then
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
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const folders = `nullif(current_setting('app.folders', true), '')`;

/** Of a document \`s\`; see \`0041_limit_by_folder.ts\`. */
const isOfVisibleNote = `exists (
  select from notes.notes n
  where n.company_id = own and n.id = s.note_id and (case
    when ${folders} is null or (n.folder || '/') ^@ any (${folders}::text[]) then true
  end) is not null)`;
