/** What a migration needs of knex: it runs one statement at a time. */
type Database = { readonly raw: (statement: string) => PromiseLike<unknown> };

/**
 * An inverted index collects new entries in a list that every lookup reads whole, and that the write which fills it
 * moves into the index (docs/adr/0073). Tags are few: they go into the index at once. Documents have many words, whose
 * list may hold a quarter of what it held. What the lists hold now stays until the next vacuum. breaking: no
 */
export const up = async (db: Database): Promise<void> => {
  await db.raw('alter index notes.tagged_notes set (fastupdate = off)');
  await db.raw('alter index notes.note_search_document set (gin_pending_list_limit = 1024)');
};
