/**
 * breaking: no
 *
 * How a session was signed in, and the methods that an OpenID Connect provider named (`amr`). Rows
 * of the release before, and those that its processes write during an upgrade, are by password:
 * there was nothing else. The history takes the new methods, too.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    alter table auth.sessions
      add column if not exists sign_in_method text not null default 'password'
        constraint sessions_sign_in_method_check
        check (sign_in_method in ('password', 'oidc', 'passkey')),
      add column if not exists amr text[] not null default '{}'
  `);
  await db.raw(`
    alter table auth.sign_ins
      drop constraint if exists sign_ins_method_check,
      add constraint sign_ins_method_check
        check (method in ('password', 'setup', 'invite', 'oidc', 'passkey'))
  `);
};
