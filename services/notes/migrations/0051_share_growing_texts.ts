/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** Without a transaction: no two tables are locked at once. */
export const config = { transaction: false };

/**
 * A version whose text the next one begins with has none of its own, and neither has the newest one of a note that only
 * grew: `texts_from` to `texts_to` of its note say which versions have theirs in the text of the note. The release before
 * reads no such version, so that the first is written a day after this has run. It leaves `texts_to` as it is, and a
 * write that would replace the only text of a version fails by the check. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw('alter table notes.notes add column if not exists texts_from integer');
  await knex.raw('alter table notes.notes add column if not exists texts_to integer');
  await addCheck(knex);
  await createTextOf(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/** Not validated: no row has a value yet, and the notes are not to be read while the table is locked. */
const addCheck = async (knex: Migrator): Promise<void> => {
  await knex.raw('alter table notes.notes drop constraint if exists notes_texts_check');
  await knex.raw(`
    alter table notes.notes add constraint notes_texts_check
      check (case when texts_to is null then texts_from is null
        else texts_from is not null and texts_from <= texts_to and texts_to = revision and deleted_at is null
      end) not valid`);
};

const own = `own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid`;
const folders = `nullif(current_setting('app.folders', true), '')`;
/** Of a version `v`; see `0041_limit_by_folder.ts`. */
const isVisible = `(case
  when ${folders} is null or (v.folder || '/') ^@ any (${folders}::text[]) then true
end) is not null`;

/**
 * The text of a visible version that had none of its own: the first bytes of that of the note or of the nearest later version
 * with a text, which may be in another folder. No byte beyond the size of the version is returned. A write may have given
 * the version its text since the caller read that it has none.
 */
const createTextOf = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.text_of(of_note uuid, of_revision integer) returns text
      language plpgsql stable security definer set search_path = ''
      as $$
        declare ${own};
        begin
          return (
            select coalesce(v.content, convert_from(substring(convert_to(left(coalesce(
                (select n.content from notes.notes n
                 where n.company_id = own and n.id = of_note and n.texts_from <= of_revision),
                (select t.content from notes.note_revisions t
                 where t.company_id = own and t.note_id = of_note and t.revision > of_revision
                   and t.content is not null and not t.deleted
                 order by t.revision
                 limit 1),
                (select n.content from notes.notes n
                 where n.company_id = own and n.id = of_note and n.texts_to > of_revision)
              ), v.size), 'UTF8') from 1 for v.size), 'UTF8'))
            from notes.note_revisions v
            where v.company_id = own and v.note_id = of_note and v.revision = of_revision
              and not v.deleted and ${isVisible});
        end
      $$
  `);
};
