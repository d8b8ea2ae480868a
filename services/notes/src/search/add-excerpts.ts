import type { CompanyTx } from '@commonplace/db';
import { listExcerptTexts } from '../queries/excerpt-texts.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';
import type { FoundNotes } from './search-notes.ts';
import { createTermMatcher, createYieldInTime, excerptOf } from './text/excerpt.ts';
import { createStemmer } from './text/stem-word.ts';

/** Adds to each note of a search the part of its content that matches. Deleted notes get none. */
export const addExcerpts = async (
  tx: CompanyTx,
  rows: readonly ListedNoteRow[],
  { query, corrections }: FoundNotes,
): Promise<ListedNoteRow[]> => {
  const ids = rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
  const texts = ids.length === 0 ? [] : await listExcerptTexts(tx, ids);
  const match = createTermMatcher(query, { stems: createStemmer(), corrections });
  const excerpts = new Map<string, string>();
  const yieldInTime = createYieldInTime();
  for (const { id, content } of texts) {
    excerpts.set(id, await excerptOf(content, match, yieldInTime));
    await yieldInTime();
  }
  return rows.map((row) => {
    const excerpt = excerpts.get(row.id);
    return excerpt === undefined ? row : { ...row, excerpt };
  });
};
