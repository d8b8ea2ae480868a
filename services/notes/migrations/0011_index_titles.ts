/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that notes are written while the index is built. */
export const config = { transaction: false };

/** Finds notes by title, letter case aside. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  await createTitleKey(knex);
  await createMatchTitles(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/**
 * Equal titles, letter case and composition aside, have equal keys. Long ones are cut and told apart by a hash:
 * an entry of an index takes at most 2,700 bytes, and a folder has up to 2,048.
 */
const createTitleKey = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.title_key(title text) returns text
      language sql immutable parallel safe
      return case
        when char_length(casefold(normalize(title, NFC) collate pg_unicode_fast)) <= 100
          then casefold(normalize(title, NFC) collate pg_unicode_fast)
        else left(casefold(normalize(title, NFC) collate pg_unicode_fast), 80) || ' '
          || to_hex(hashtextextended(casefold(normalize(title, NFC) collate pg_unicode_fast), 0))
      end
  `);
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists notes.notes_by_title_key');
  await knex.raw(`
    create index ${how} notes_by_title_key
      on notes.notes (company_id, notes.title_key(title) collate "C", folder collate "C")
      where deleted_at is null
  `);
};

/**
 * The active notes of these titles in these folders, the newest first. Under row-level security an index on a
 * function is not used (it is not leakproof), so the lookup compares the company itself.
 */
const createMatchTitles = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create or replace function notes.match_titles(folders text[], titles text[], most integer)
      returns table (place bigint, key text, id uuid)
      language sql stable security definer set search_path = ''
      as $$
        select w.place, notes.title_key(w.title), m.id
        from unnest(folders, titles) with ordinality as w (folder, title, place)
        left join lateral (
          select n.id from notes.notes n
          where n.company_id = nullif(current_setting('app.company_id', true), '')::uuid
            and notes.title_key(n.title) collate "C" = notes.title_key(w.title) collate "C"
            and n.folder collate "C" = w.folder collate "C"
            and n.deleted_at is null
          order by n.updated_at desc, n.id
          limit most
        ) m on true
      $$
  `);
};
