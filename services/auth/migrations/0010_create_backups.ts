/**
 * breaking: no
 *
 * Finished backups, for the page of the instance. `pnpm backup` writes them as the owner of the schema; the
 * service only reads them.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table if not exists auth.backups (
      finished_at timestamptz primary key,
      total_rows bigint not null,
      bytes bigint,
      is_verified boolean not null
    )
  `);
  await db.raw('revoke insert, update, delete on auth.backups from auth_app');
};
