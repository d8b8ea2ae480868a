/**
 * breaking: no
 *
 * The audit of a company. Nothing that runs can change or remove what stands in it.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.activity (
      company_id uuid not null,
      id uuid not null,
      at timestamptz(3) not null,
      actor_kind text not null check (actor_kind in ('agent', 'operator', 'system')),
      actor_id uuid,
      actor_name text not null,
      key_id uuid,
      run_id uuid,
      action text not null,
      entity_type text not null,
      entity_id uuid not null,
      detail jsonb not null,
      primary key (company_id, id),
      foreign key (company_id) references agents.companies (company_id)
    )`);
  for (const [name, column] of [
    ['activity_by_time', ''],
    ['activity_by_actor', 'actor_id, '],
    ['activity_by_action', 'action, '],
    ['activity_by_entity', 'entity_id, '],
  ]) {
    await db.raw(`create index ${name} on agents.activity (company_id, ${column}at desc, id desc)`);
  }
  await db.raw('alter table agents.activity enable row level security');
  await db.raw(`
    create policy one_company on agents.activity
    using (company_id = nullif(current_setting('app.company_id', true), '')::uuid)`);
  await db.raw('revoke update, delete on agents.activity from agents_app');
};
