/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** Without a transaction: each policy is changed by itself, so that no two tables are locked at once. */
export const config = { transaction: false };

/**
 * Confines transactions with the setting `app.folders` to notes in these folders; without it, as in the release before, all
 * are visible. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createDepartures(knex);
  await confineToFolders(knex);
  await searchVisibleNotes(knex);
  await searchFrequentWords(knex);
  await createTextOf(knex);
  await createChangesByDay(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const ownCompany = `company_id = nullif(current_setting('app.company_id', true), '')::uuid`;

const folders = `nullif(current_setting('app.folders', true), '')`;

/**
 * Whether a folder is visible. The planner expects of `is not null` that nearly all rows pass, whatever it is about: it
 * chooses the plans of a transaction that sees all notes.
 */
const isVisible = (folder: string): string => `(case
  when ${folders} is null or (${folder} || '/') ^@ any (${folders}::text[]) then true
end) is not null`;

/** Where notes were before they were moved: who sees no more than that learns that they are gone. */
const createDepartures = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.departures (
      company_id uuid not null,
      note_id uuid not null,
      folder text not null,
      change_no bigint not null,
      revision integer not null,
      former json not null,
      departed_at timestamptz(3) not null,
      primary key (company_id, note_id, folder)
    )
  `);
  await knex.raw('alter table notes.departures enable row level security');
  await knex.raw('drop policy if exists own_company on notes.departures');
  await knex.raw(`create policy own_company on notes.departures using (${ownCompany})`);
  await knex.raw(`
    create index if not exists departures_by_change on notes.departures (company_id, change_no)
  `);
};

const confineToFolders = async (knex: Migrator): Promise<void> => {
  for (const table of ['notes', 'note_revisions', 'catalog_entries', 'departures']) {
    await knex.raw(`
      alter policy own_company on notes.${table} using (${ownCompany} and ${isVisible('folder')})
    `);
  }
  await knex.raw(`
    alter policy own_company on notes.label_counts
      using (${ownCompany} and (kind <> 'folder' or ${isVisible('name')}))
  `);
};

const own = `own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid`;
const isConfined = `is_confined constant boolean := ${folders} is not null`;

/** Of a document `s`. */
const isOfVisibleNote = `exists (
  select from notes.notes n
  where n.company_id = own and n.id = s.note_id and ${isVisible('n.folder')})`;

/** The functions of the owner, which no policy confines. */
const searchVisibleNotes = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_notes(query tsquery, most integer) returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_seqscan = off
      as $$
        declare ${own}; ${isConfined};
        begin
          if is_confined then
            return query
              select s.note_id
              from notes.note_search s
              where (s.company_id = own) is true and s.document @@ query and ${isOfVisibleNote}
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

/** The first documents are not looked at where most of them may be hidden. */
const searchFrequentWords = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_frequent(
        query tsquery, looked integer, enough integer, most integer)
      returns setof uuid
      language plpgsql stable security definer set search_path = '' set enable_sort = off
      as $$
        declare
          ${own}; ${isConfined};
          found_ids uuid[] := '{}';
        begin
          if looked > 0 and not is_confined then
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

/**
 * The text of a visible version that has none of its own: that of the nearest later one with a text, which may have been in
 * another folder.
 */
const createTextOf = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.text_of(of_note uuid, of_revision integer) returns text
      language plpgsql stable security definer set search_path = ''
      as $$
        declare ${own};
        begin
          return (
            select t.content from notes.note_revisions t
            where t.company_id = own and t.note_id = of_note and t.revision > of_revision
              and t.content is not null and not t.deleted
              and exists (
                select from notes.note_revisions v
                where v.company_id = own and v.note_id = of_note and v.revision = of_revision
                  and ${isVisible('v.folder')})
            order by t.revision
            limit 1);
        end
      $$
  `);
};

/** Versions by UTC day, of all folders: with a policy on folders the index alone would not do. */
const createChangesByDay = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.changes_by_day(first_day date, last_day date, most integer)
      returns table (day text, notes integer, changes integer, first_at timestamptz)
      language plpgsql stable security definer set search_path = '' set enable_sort = off
      as $$
        declare ${own}; ${isConfined};
        begin
          if is_confined then
            raise exception 'notes.changes_by_day counts the versions of all folders';
          end if;
          return query
            select (s.created_at at time zone 'UTC')::date::text,
              count(distinct s.note_id)::integer, count(*)::integer, min(s.created_at)::timestamptz
            from (
              select v.created_at, v.note_id
              from notes.note_revisions v
              where v.company_id = own
                and v.created_at >= first_day::timestamp at time zone 'UTC'
                and v.created_at < (last_day + 1)::timestamp at time zone 'UTC'
              order by v.created_at desc, v.note_id desc, v.revision desc
              limit most
            ) s
            group by 1
            order by 1;
        end
      $$
  `);
};
