/**
 * breaking: no
 *
 * Which e-mails somebody proved, and accounts that an administrator hands to their person. Null: nobody
 * proved the e-mail; whoever accepted the invite may have been its sender. The first operator was named by who runs the
 * instance, and accounts without a password were created for an e-mail that the provider had verified.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw('alter table auth.operators add column if not exists email_verified_at timestamptz');
  await db.raw(`
    update auth.operators set email_verified_at = created_at
     where email_verified_at is null
       and (not has_password
            or id = (select first_operator_id from auth.instance))
  `);
  await db.raw(`
    create table if not exists auth.account_handovers (
      operator_id uuid primary key references auth.operators (id) on delete cascade,
      token_digest text not null unique check (token_digest ~ '^[0-9a-f]{64}$'),
      begun_at timestamptz not null,
      expires_at timestamptz not null
    )
  `);
  await db.raw(`
    alter table auth.sign_ins
      drop constraint if exists sign_ins_method_check,
      add constraint sign_ins_method_check check (
        method in ('password', 'setup', 'invite', 'oidc', 'passkey', 'totp', 'recovery_code', 'handover')
      )
  `);
};
