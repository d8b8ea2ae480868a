/**
 * breaking: no
 *
 * What this database was last used with: fingerprints of the password peppers, and the deployment mode. A start
 * with others is refused instead of leaving every password useless without a word. Being a table, they are in
 * every backup.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table auth.configuration_fingerprints (
      name text not null,
      fingerprint text not null,
      first_seen_at timestamptz not null,
      primary key (name, fingerprint)
    )`);
};
