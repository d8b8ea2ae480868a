/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/** Without a transaction: no two tables are locked at once. */
export const config = { transaction: false };

/**
 * Notes as agents propose them to be. They are no notes: nothing that reads notes reads these. An accepted one stays without
 * its text, because the version that it became names who accepted it. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createTable(knex);
  await confine(knex);
  for (const index of indexes) {
    await knex.raw(`create index if not exists ${index}`);
  }
  await knex.raw('alter table notes.mutations add column if not exists proposal_id uuid');
  await createDueProposals(knex);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};

const createTable = (knex: Migrator) =>
  knex.raw(`
    create table if not exists notes.proposals (
      company_id uuid not null,
      id uuid not null,
      state text not null,
      note_id uuid not null,
      proposal_of uuid,
      base_revision integer,
      title text not null,
      folder text not null,
      content text,
      tags text[] not null,
      pinned boolean not null,
      archived boolean not null,
      properties json not null,
      size integer not null,
      snippet text not null,
      fields_hash text not null,
      reason text,
      author_kind text not null,
      author_id uuid not null,
      author_run_id uuid,
      author_key_id uuid,
      author_connection_id uuid,
      via text,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      decided_at timestamptz(3),
      decided_by json,
      decision_reason text,
      revision integer,
      superseded_by uuid,
      primary key (company_id, id)
    )
  `);

const folders = `nullif(current_setting('app.folders', true), '')`;

/** As of notes: the proposed folder has to be visible. */
const confine = async (knex: Migrator): Promise<void> => {
  await knex.raw('alter table notes.proposals enable row level security');
  await knex.raw('drop policy if exists own_company on notes.proposals');
  await knex.raw(`
    create policy own_company on notes.proposals
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid and (case
        when ${folders} is null or (folder || '/') ^@ any (${folders}::text[]) then true
      end) is not null)
  `);
};

const indexes = [
  'proposals_by_age on notes.proposals (company_id, created_at, id)',
  `open_proposals on notes.proposals (company_id, author_id, note_id) where state = 'open'`,
  'accepted_proposals on notes.proposals (company_id, note_id, revision) where revision is not null',
  'decided_proposals on notes.proposals (company_id, author_id, decided_at) where decided_at is not null',
  'proposals_by_end on notes.proposals (expires_at) where content is not null or revision is null',
];

/** The companies with proposals that have ended. */
const createDueProposals = (knex: Migrator) =>
  knex.raw(`
    create or replace function notes.companies_with_due_proposals(due timestamptz) returns setof uuid
      language plpgsql stable security definer set search_path = ''
      as $$
        begin
          return query
            select distinct p.company_id from notes.proposals p
            where p.expires_at <= due and (p.content is not null or p.revision is null);
        end
      $$
  `);
