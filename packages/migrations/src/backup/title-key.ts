import type { Client } from 'pg';

/** Has another key since PostgreSQL 18 than before, where capitals of ς and ı become small again. */
const sampleTitle = 'Οδός ı';

/**
 * The key of a title that servers fold differently (migration `0011_index_titles`); null: a schema of before has no keys. Runs
 * in a transaction of the caller.
 */
export const readTitleKey = async (client: Pick<Client, 'query'>): Promise<string | null> => {
  await client.query('set local role notes_owner');
  const { rows } = await client.query<{ hasKeys: boolean }>(
    `select to_regprocedure('notes.title_key(text)') is not null as "hasKeys"`,
  );
  const found = rows[0]?.hasKeys
    ? await client.query<{ key: string }>('select notes.title_key($1) as key', [sampleTitle])
    : null;
  await client.query('reset role');
  return found?.rows[0]?.key ?? null;
};

/** Empties what holds keys of titles; services make it again from the notes, as for companies without a catalog. */
export const emptyCatalogs = async (client: Pick<Client, 'query'>): Promise<void> => {
  await client.query('set local role notes_owner');
  await client.query(`
    truncate notes.catalog_progress, notes.catalog_entries, notes.label_counts, notes.note_links, notes.former_titles`);
  await client.query('reset role');
};
