import type { CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, read, write, type Db } from '@commonplace/db';
import {
  findSearchProgress,
  lockSearchProgress,
  type SearchProgress,
} from '../queries/search-index.ts';
import {
  deleteWords,
  listKnownWords,
  listWordsAfter,
  listWordsOfNoNote,
} from '../queries/search-words.ts';
import { termPrefix } from './text/search-document.ts';
import { quotedTerm } from './text/to-tsquery.ts';

/** Words of a transaction: a lookup each. */
const wordsMax = 250;
/** Looks for the same words while documents are stored; then they stay until all words are gone through. */
const looksMax = 5;

/** Removes those of the words that no note has any more, so that they neither correct nor complete a query. */
export const removeWords = async (
  db: Db,
  companyId: CompanyId,
  words: readonly string[],
): Promise<void> => {
  for (let from = 0; from < words.length; from += wordsMax) {
    const some = words.slice(from, from + wordsMax);
    for (let look = 1; look <= looksMax; look += 1) {
      const unused = await findUnused(db, companyId, some);
      if (await deleteUnused(db, companyId, unused)) {
        break;
      }
    }
  }
};

type Unused = { readonly words: readonly string[]; readonly progress: SearchProgress };

/** Without the lock that indexing waits for. On Citus, its functions cannot read what their transaction has locked. */
const findUnused = (db: Db, companyId: CompanyId, words: readonly string[]): Promise<Unused> =>
  read(db, inIndexOrder(companyId), async (tx) => {
    const progress = await findSearchProgress(tx);
    const known = await listKnownWords(tx, words);
    const prefix = termPrefix(companyId);
    const terms = known.map((word) => quotedTerm(prefix + word));
    const unused = known.length > 0 ? await listWordsOfNoNote(tx, { words: known, terms }) : [];
    return { words: unused, progress };
  });

/** False if documents were stored since the words were looked for: one of them may have the words. */
const deleteUnused = async (
  db: Db,
  companyId: CompanyId,
  { words, progress }: Unused,
): Promise<boolean> =>
  words.length === 0 ||
  write(db, inIndexOrder(companyId), async (tx) => {
    const now = await lockSearchProgress(tx);
    if (now.changeNo !== progress.changeNo || now.rebuiltNo !== progress.rebuiltNo) {
      return false;
    }
    await deleteWords(tx, words);
    return true;
  });

/** Removes all words of a company that no note has, part by part, until the signal. */
export const removeUnusedWords = async (
  db: Db,
  companyId: CompanyId,
  stopping: AbortSignal,
): Promise<void> => {
  let after = '';
  for (let isLast = false; !isLast && !stopping.aborted;) {
    const words = await read(db, inIndexOrder(companyId), (tx) =>
      listWordsAfter(tx, { after, limit: wordsMax }),
    );
    await removeWords(db, companyId, words);
    isLast = words.length < wordsMax;
    after = words.at(-1) ?? after;
  }
};
