/**
 * breaking: no
 *
 * How often everything that gave access to an account was removed: by a handover, or a reset of its password or its
 * second factor. What an operator derived from that access, runs and invites in the agents service, carries the number
 * and ends with it.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(
    'alter table auth.operators add column if not exists access_epoch integer not null default 0',
  );
};
