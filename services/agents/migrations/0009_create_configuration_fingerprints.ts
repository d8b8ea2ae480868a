/**
 * breaking: no
 *
 * What this database was last used with: fingerprints of the peppers of API keys. A start with others is refused
 * instead of leaving every key useless without a word. Being a table, they are in every backup. It belongs to no
 * company.
 */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

export const up = async (db: Database): Promise<void> => {
  await db.raw(`
    create table agents.configuration_fingerprints (
      name text not null,
      fingerprint text not null,
      first_seen_at timestamptz(3) not null,
      primary key (name, fingerprint)
    )`);
};
