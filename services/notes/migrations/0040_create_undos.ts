/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that notes are synchronised while the index is built. */
export const config = { transaction: false };

/**
 * Undos of what a source wrote, and what became of each note. The rows of notes stay: they are the versions on which a
 * later synchronisation may not build. Of mutations the merges are indexed by note. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await createTables(knex);
  for (const table of ['undos', 'undo_notes']) {
    await knex.raw(`alter table notes.${table} enable row level security`);
    await knex.raw(`drop policy if exists own_company on notes.${table}`);
    await knex.raw(`
      create policy own_company on notes.${table}
        using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
    `);
  }
  await knex.raw(`
    create index if not exists undone_notes on notes.undo_notes (company_id, note_id, undone_to)
      where undone_to is not null
  `);
  await knex.raw(`
    create index if not exists pending_undo_notes on notes.undo_notes (company_id, undo_id, note_id)
      where outcome is null
  `);
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists notes.merged_mutations');
  await knex.raw(
    `create index ${how} merged_mutations on notes.mutations (company_id, note_id, revision)
     where status = 'merged'`,
  );
};

const createTables = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table if not exists notes.undos (
      company_id uuid not null,
      id uuid not null,
      status text not null,
      caller json not null,
      source json not null,
      note_ids uuid[],
      is_dry_run boolean not null,
      paused_agent_id uuid,
      last_change bigint,
      planned_until json,
      is_planned boolean not null default false,
      error json,
      created_at timestamptz(3) not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      primary key (company_id, id)
    )
  `);
  await knex.raw(`
    create table if not exists notes.undo_notes (
      company_id uuid not null,
      undo_id uuid not null,
      note_id uuid not null,
      outcome text,
      title text,
      folder text,
      revision integer,
      undone_from integer,
      undone_to integer,
      undoes integer[],
      lines json,
      fields text[],
      conflict_of uuid,
      conflict_copies uuid[],
      merges integer[],
      detail text,
      diff text,
      primary key (company_id, undo_id, note_id)
    )
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
