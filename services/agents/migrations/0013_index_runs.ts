/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that runs are written while the indexes are built. */
export const config = { transaction: false };

/** Ended runs that are in no sum yet, and the runs of an agent by status. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists agents.runs_uncounted');
  await knex.raw(
    `create index ${how} runs_uncounted on agents.runs (company_id, id)
     where not is_counted and status <> 'running'`,
  );
  await knex.raw('drop index if exists agents.runs_by_agent_and_status');
  await knex.raw(
    `create index ${how} runs_by_agent_and_status
     on agents.runs (company_id, agent_id, status, started_at desc, id desc)`,
  );
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
