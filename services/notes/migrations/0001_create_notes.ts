/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** Confines `notes_app` to the rows of the company its transaction is scoped to. */
const confineToCompany = async (knex: Migrator, table: string): Promise<void> => {
  await knex.raw(`alter table notes.${table} enable row level security`);
  await knex.raw(`
    create policy own_company on notes.${table}
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
};

/**
 * The notes, every version of them, and the counter row per company that puts their changes into one
 * order. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createFeed(knex);
  await createNotes(knex);
  await createRevisions(knex);
  await createSearch(knex);
  await createMutations(knex);
  await createOwners(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

/**
 * One row per company, locked by every write to its notes: that lock is what makes change numbers
 * commit in order. The row changes with every commit, so its page is left almost empty (hot updates).
 */
const createFeed = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.company_feed (
      company_id uuid primary key,
      epoch uuid not null,
      head bigint not null default 0,
      floor bigint not null default 0,
      live_count bigint not null default 0,
      digest text not null default '0000000000000000' check (digest ~ '^[0-9a-f]{16}$'),
      check (floor <= head)
    ) with (fillfactor = 10)
  `);
  await confineToCompany(knex, 'company_feed');
  // Housekeeping visits one company after another; this names them, and tells nothing else.
  await knex.raw(`
    create function notes.list_companies() returns setof uuid
      language sql stable security definer set search_path = ''
      as $$ select company_id from notes.company_feed $$
  `);
};

const writableColumns = `
  title text not null,
  content text not null,
  folder text not null,
  tags text[] not null,
  pinned boolean not null,
  archived boolean not null,
  properties json not null,
  size integer not null
`;

/**
 * The current version of each note. A tombstone keeps its text, so that it can be brought back.
 * `properties` is json, not jsonb: a client's own data comes back as it was sent.
 * `wire_bytes` is about what the note takes in an answer, so that a page can end in time.
 */
const createNotes = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.notes (
      company_id uuid not null,
      id uuid not null,
      revision integer not null check (revision > 0),
      change_no bigint not null,
      ${writableColumns},
      snippet text not null,
      wire_bytes integer not null,
      conflict_of uuid,
      created_at timestamptz(3) not null,
      created_by_kind text not null,
      created_by_id uuid not null,
      created_by_run_id uuid,
      updated_at timestamptz(3) not null,
      updated_by_kind text not null,
      updated_by_id uuid not null,
      updated_by_run_id uuid,
      deleted_at timestamptz(3),
      primary key (company_id, id),
      unique (company_id, change_no)
    )
  `);
  await confineToCompany(knex, 'notes');
  await knex.raw('create index notes_by_update on notes.notes (company_id, updated_at, id)');
  await knex.raw('create index notes_by_creation on notes.notes (company_id, created_at, id)');
  await knex.raw('create index notes_by_title on notes.notes (company_id, title, id)');
  await knex.raw(`
    create index tombstones on notes.notes (company_id, deleted_at) where deleted_at is not null
  `);
  await knex.raw(`
    create index conflict_copies on notes.notes (company_id, conflict_of)
      where conflict_of is not null
  `);
};

/** Every version of every note: what merges are based on, and the audit of the notes. */
const createRevisions = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.note_revisions (
      company_id uuid not null,
      note_id uuid not null,
      revision integer not null,
      ${writableColumns},
      deleted boolean not null,
      created_at timestamptz(3) not null,
      created_by_kind text not null,
      created_by_id uuid not null,
      created_by_run_id uuid,
      primary key (company_id, note_id, revision)
    )
  `);
  await confineToCompany(knex, 'note_revisions');
};

/**
 * Full text, apart from the notes, and brought up to date after the write: making and indexing one
 * document costs five times what the rest of a write does. `search_progress` says up to which change
 * a company is indexed; whoever searches catches up first, so that nothing is missing.
 */
const createSearch = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.search_progress (
      company_id uuid primary key,
      change_no bigint not null
    )
  `);
  await confineToCompany(knex, 'search_progress');
  await createSearchDocument(knex);
  await knex.raw(`
    create table notes.note_search (
      company_id uuid not null,
      note_id uuid not null,
      document tsvector not null,
      primary key (company_id, note_id)
    )
  `);
  await confineToCompany(knex, 'note_search');
  await knex.raw('create index note_search_document on notes.note_search using gin (document)');
};

/**
 * The document of a note. The configuration is 'simple': notes come in every language. 30,000 distinct
 * words overflow a document, so it covers at most the first 256 KiB of the content.
 */
const createSearchDocument = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create function notes.search_document(title text, content text) returns tsvector
      language sql immutable parallel safe
      return setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', case
        when octet_length(content) <= 262144 then content
        when octet_length(content) = length(content) then left(content, 262144)
        else left(content, 65536)
      end)
  `);
};

/** What became of each mutation of a client, for those who ask again. */
const createMutations = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.mutations (
      company_id uuid not null,
      caller text not null,
      client_id text not null,
      mutation_id text not null,
      request_hash bytea not null,
      note_id uuid not null,
      status text not null,
      revision integer,
      conflict_note_id uuid,
      created_at timestamptz(3) not null,
      primary key (company_id, caller, client_id, mutation_id)
    )
  `);
  await confineToCompany(knex, 'mutations');
  await knex.raw('create index mutations_by_age on notes.mutations (company_id, created_at)');
};

/**
 * Which company an id belongs to: a note id is unique in the whole system. \`notes_app\` cannot read
 * the table, only ask for the owner of ids it knows, and claim ids for its own company.
 */
const createOwners = async (knex: Migrator): Promise<void> => {
  await knex.raw('create table notes.note_owner (id uuid primary key, company_id uuid not null)');
  await knex.raw('revoke all on notes.note_owner from notes_app');
  await knex.raw(`
    create function notes.owner_of(note_id uuid) returns uuid
      language sql stable security definer set search_path = ''
      as $$ select o.company_id from notes.note_owner o where o.id = note_id $$
  `);
  await knex.raw(`
    create function notes.foreign_ids(ids uuid[]) returns setof uuid
      language sql stable security definer set search_path = ''
      as $$
        select o.id
        from notes.note_owner o
        where o.id = any (ids)
          and o.company_id <> nullif(current_setting('app.company_id', true), '')::uuid
      $$
  `);
  // In the order of the ids, so that two companies claiming the same ones cannot deadlock. An id that
  // is the company's already is claimed again: its note was purged.
  await knex.raw(`
    create function notes.claim_ids(ids uuid[]) returns setof uuid
      language sql volatile security definer set search_path = ''
      as $$
        insert into notes.note_owner as o (id, company_id)
        select i.id, nullif(current_setting('app.company_id', true), '')::uuid
        from unnest(ids) as i (id)
        order by i.id
        on conflict (id) do update set company_id = excluded.company_id
          where o.company_id = excluded.company_id
        returning id
      $$
  `);
};
