/**
 * breaking: no
 *
 * The audit log of accounts. The service can add to it and read it, not change or delete: who takes over the
 * process cannot wipe its traces. Old entries go through the one function below, which keeps the last 365 days
 * whatever it is asked. No foreign keys: the log outlives what it tells of.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists auth.instance_activity (
      id uuid primary key,
      at timestamptz not null,
      actor_kind text not null check (actor_kind in ('operator', 'shell', 'system')),
      actor_id uuid,
      actor_email text,
      action text not null,
      operator_id uuid not null,
      operator_email text not null,
      detail jsonb not null
    )
  `);
  await db.raw(
    'create index if not exists instance_activity_of_operator on auth.instance_activity (operator_id, id)',
  );
  await db.raw(
    'create index if not exists instance_activity_of_actor on auth.instance_activity (actor_id, id)',
  );
  await db.raw(
    'create index if not exists instance_activity_by_age on auth.instance_activity (at)',
  );
  await db.raw('revoke update, delete on auth.instance_activity from auth_app');
  await db.raw(`
    create or replace function auth.forget_instance_activity(before timestamptz) returns void
    language sql security definer set search_path = ''
    as $$ delete from auth.instance_activity where at < least(before, now() - interval '365 days') $$
  `);
  await db.raw('revoke execute on function auth.forget_instance_activity from public');
  await db.raw('grant execute on function auth.forget_instance_activity to auth_app');
};
