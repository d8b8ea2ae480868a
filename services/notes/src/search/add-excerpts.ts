import { setImmediate } from 'node:timers/promises';
import type { CompanyTx } from '@commonplace/db';
import { listExcerptTexts } from '../queries/excerpt-texts.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';
import type { FoundNotes } from './search-notes.ts';
import { createTermMatcher, excerptOf } from './text/excerpt.ts';
import { createStemmer } from './text/stem-word.ts';

/** Characters that are read before other requests run: about a millisecond of work. */
const yieldAfter = 16_384;

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
  let characters = 0;
  for (const { id, content } of texts) {
    excerpts.set(id, await excerptOf(content, match));
    characters += content.length;
    if (characters > yieldAfter) {
      characters = 0;
      await setImmediate();
    }
  }
  return rows.map((row) => {
    const excerpt = excerpts.get(row.id);
    return excerpt === undefined ? row : { ...row, excerpt };
  });
};
