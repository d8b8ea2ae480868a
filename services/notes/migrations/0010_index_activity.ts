/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that notes are written while the index is built. */
export const config = { transaction: false };

/** The versions of a company in the order of their time, for the list of activity. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists notes.revisions_by_time');
  await knex.raw(
    `create index ${how} revisions_by_time on notes.note_revisions (company_id, created_at, note_id, revision)`,
  );
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
