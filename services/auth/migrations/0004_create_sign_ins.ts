/**
 * breaking: no
 *
 * The sign-in history. The service can add to it and read it, not change or delete: who takes over
 * the process cannot wipe its traces. Old entries go through the one function below, which keeps the
 * last 90 days whatever it is asked. No foreign key: the history outlives what it tells of.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.sign_ins (
      id uuid primary key,
      at timestamptz not null,
      operator_id uuid,
      email text not null,
      method text not null check (method in ('password', 'setup', 'invite')),
      outcome text not null check (outcome in ('success', 'failure')),
      address text,
      user_agent text
    )
  `);
  await db.raw('create index sign_ins_of_operator on auth.sign_ins (operator_id, id)');
  await db.raw('create index sign_ins_by_age on auth.sign_ins (at)');
  await db.raw('revoke update, delete on auth.sign_ins from auth_app');
  await db.raw(`
    create function auth.forget_sign_ins(before timestamptz) returns void
    language sql security definer set search_path = ''
    as $$ delete from auth.sign_ins where at < least(before, now() - interval '90 days') $$
  `);
  await db.raw('revoke execute on function auth.forget_sign_ins from public');
  await db.raw('grant execute on function auth.forget_sign_ins to auth_app');
};
