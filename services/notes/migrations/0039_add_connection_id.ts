/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that notes are written while the index is built. */
export const config = { transaction: false };

/**
 * The connection each version was written with, null for keys, runs, sessions and older versions; and the versions of a
 * connection in the order of their time. A version has one credential, so it costs one entry. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(
    'alter table notes.note_revisions add column if not exists created_by_connection_id uuid',
  );
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists notes.revisions_by_connection');
  await knex.raw(
    `create index ${how} revisions_by_connection on notes.note_revisions
       (company_id, created_by_connection_id, created_at, note_id, revision)
     where created_by_connection_id is not null`,
  );
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
