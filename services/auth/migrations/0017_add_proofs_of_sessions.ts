/**
 * breaking: no
 *
 * What a session rests on. `passkey_id` is the passkey that was shown last, so that processes of the release before
 * end what they ended; `former_passkey_ids` are those before it, which started the session or confirmed it.
 * `has_lost_factor`: the passkey or identity that was the second factor is gone, and nothing confirmed the session since.
 * Sessions that exist have neither; they last for 12 hours at most.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    alter table auth.sessions
      add column if not exists former_passkey_ids uuid[] not null default '{}',
      add column if not exists has_lost_factor boolean not null default false
  `);
};
