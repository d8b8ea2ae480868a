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
 * an entry of an index takes at most 2,700 bytes, and a folder has up to 2,048. PostgreSQL folds case since release 18;
 * before, upper case and then lower case has the same effect, with ICU. There it is no SQL function, because Citus would
 * send its expression to other nodes without the collation.
 */
const createTitleKey = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    do $migration$
    begin
      if current_setting('server_version_num')::integer >= 180000 then
        ${createFunction('language sql immutable parallel safe return', keyOf(caseFolded))};
      else
        ${createFunction('language plpgsql immutable parallel safe as', inBlock(keyOf(caseMapped)))};
      end if;
    end
    $migration$
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

const caseFolded = 'casefold(normalize(title, NFC) collate pg_unicode_fast)';
const caseMapped = 'lower(upper(normalize(title, NFC) collate "und-x-icu"))';

const createFunction = (declaration: string, body: string): string => `
  execute $sql$
    create or replace function notes.title_key(title text) returns text ${declaration} ${body}
  $sql$`;

const keyOf = (folded: string): string => `case
    when char_length(${folded}) <= 100 then ${folded}
    else left(${folded}, 80) || ' ' || to_hex(hashtextextended(${folded}, 0))
  end`;

const inBlock = (expression: string): string => `$body$ begin return ${expression}; end $body$`;

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
