/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Bounds of the queue: how often a job was begun without getting on, so that one that kills its
 * worker is given up, and how many jobs of a company wait. breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw('alter table notes.job_queue add column attempts integer not null default 0');
  await knex.raw(`
    create index unfinished_jobs on notes.job_queue (company_id) where not is_finished
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
