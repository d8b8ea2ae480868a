/** What a migration needs of knex: it runs one statement at a time. */
type Migrator = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** Without a transaction, so that runs are written while the indexes are built. */
export const config = { transaction: false };

/** The running runs of a key and of an operator. breaking: no */
export const up = async (knex: Migrator): Promise<void> => {
  // A restore is one transaction.
  const how = knex.isTransaction ? '' : 'concurrently';
  // A start that was killed leaves an invalid index.
  await knex.raw('drop index if exists agents.runs_running_by_key');
  await knex.raw(
    `create index ${how} runs_running_by_key on agents.runs (company_id, source_key_id)
     where status = 'running' and source_key_id is not null`,
  );
  await knex.raw('drop index if exists agents.runs_running_by_operator');
  await knex.raw(
    `create index ${how} runs_running_by_operator on agents.runs (source_operator_id, company_id)
     where status = 'running' and source_operator_id is not null`,
  );
  await knex.raw(`
    create or replace function agents.operators_with_running_runs(p_after uuid, p_limit integer)
    returns table (operator_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct r.source_operator_id
        from agents.runs r
        where r.status = 'running' and r.source_operator_id > p_after
        order by r.source_operator_id
        limit p_limit;
    end
    $$`);
  await knex.raw(`
    create or replace function agents.companies_with_runs_of_operator(
      p_operator_id uuid, p_limit integer
    )
    returns table (company_id uuid)
    language plpgsql stable security definer set search_path = ''
    as $$
    begin
      return query
        select distinct r.company_id
        from agents.runs r
        where r.status = 'running' and r.source_operator_id = p_operator_id
        limit p_limit;
    end
    $$`);
};

/** The way back is a new migration. */
export const down = (): never => {
  throw new Error('Migrations go forward only.');
};
