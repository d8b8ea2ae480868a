import type { CompanyId } from '@commonplace/contracts/core';
import { withCompanyInIndexOrder, type Db } from '@commonplace/db';
import { lockSearchProgress } from '../queries/search-index.ts';
import {
  deleteWords,
  listKnownWords,
  listWordsAfter,
  listWordsOfNoNote,
} from '../queries/search-words.ts';
import { termPrefix } from './text/search-document.ts';
import { quotedTerm } from './text/to-tsquery.ts';

/** Words of a transaction: a lookup each, under a lock that indexing waits for. */
const wordsMax = 250;

/** Removes those of the words that no note has any more, so that they neither correct nor complete a query. */
export const removeWords = async (
  db: Db,
  companyId: CompanyId,
  words: readonly string[],
): Promise<void> => {
  const prefix = termPrefix(companyId);
  for (let from = 0; from < words.length; from += wordsMax) {
    const some = words.slice(from, from + wordsMax);
    await withCompanyInIndexOrder(db, companyId, async (tx) => {
      const known = await listKnownWords(tx, some);
      if (known.length === 0) {
        return;
      }
      // No document gets one of the words while they are looked for.
      await lockSearchProgress(tx);
      const terms = known.map((word) => quotedTerm(prefix + word));
      const unused = await listWordsOfNoNote(tx, { words: known, terms });
      if (unused.length > 0) {
        await deleteWords(tx, unused);
      }
    });
  }
};

/** Removes all words of a company that no note has, part by part, until the signal. */
export const removeUnusedWords = async (
  db: Db,
  companyId: CompanyId,
  stopping: AbortSignal,
): Promise<void> => {
  let after = '';
  for (let isLast = false; !isLast && !stopping.aborted;) {
    const words = await withCompanyInIndexOrder(db, companyId, (tx) =>
      listWordsAfter(tx, { after, limit: wordsMax }),
    );
    await removeWords(db, companyId, words);
    isLast = words.length < wordsMax;
    after = words.at(-1) ?? after;
  }
};
