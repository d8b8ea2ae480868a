/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * Synchronisation in the background. The queue is global, so that a worker finds the next job of any
 * company; it holds no payload. What was asked and what became of it sit under row-level security.
 * breaking: no
 */
export const up = async (knex: Migrator): Promise<void> => {
  await knex.raw(`
    create table notes.job_queue (
      id uuid primary key,
      company_id uuid not null,
      is_finished boolean not null default false,
      lease_token uuid,
      available_at timestamptz(3) not null,
      created_at timestamptz(3) not null
    )
  `);
  await knex.raw(`
    create index waiting_jobs on notes.job_queue (available_at) where not is_finished
  `);
  await knex.raw('create index jobs_by_age on notes.job_queue (created_at)');
  await knex.raw(`
    create table notes.jobs (
      company_id uuid not null,
      id uuid not null,
      status text not null,
      caller json not null,
      request json not null,
      done integer not null default 0,
      total integer not null,
      results json,
      result json,
      error json,
      created_at timestamptz(3) not null,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      primary key (company_id, id)
    )
  `);
  await knex.raw('alter table notes.jobs enable row level security');
  await knex.raw(`
    create policy own_company on notes.jobs
      using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)
  `);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
