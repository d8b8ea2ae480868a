import type { CompanyTx } from '@commonplace/db';
import { afterPrefix } from './after-prefix.ts';

/** Adds words of notes; words that are there stay. */
export const insertWords = async (tx: CompanyTx, words: readonly string[]): Promise<void> => {
  await tx.query(
    `insert into notes.search_words (company_id, word)
     select f.company_id, w.word
     from notes.company_feed f
     cross join unnest($2::text[]) as w (word)
     where f.company_id = $1
     on conflict (company_id, word) do nothing`,
    [tx.companyId, words],
  );
};

/**
 * Those of the words that are in no document; `terms` are the same words as they are in documents, quoted. A deleted
 * note has its document until it is purged.
 */
export const listWordsOfNoNote = async (
  tx: CompanyTx,
  { words, terms }: { readonly words: readonly string[]; readonly terms: readonly string[] },
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    `select w.word from unnest($1::text[], $2::text[]) as w (word, term)
     where not exists (select from notes.match_notes(w.term::tsquery, 1))`,
    [words, terms],
  );
  return rows.map(({ word }) => word);
};

/** Deletes words, under the lock of the company's index, if no document was stored since they were looked for. */
export const deleteWords = async (tx: CompanyTx, words: readonly string[]): Promise<void> => {
  await tx.query(
    'delete from notes.search_words w where w.company_id = $1 and w.word = any ($2::text[])',
    [tx.companyId, words],
  );
};

/** The next words of a company in byte order. */
export const listWordsAfter = async (
  tx: CompanyTx,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    `select w.word from notes.search_words w
     where w.company_id = $1 and w.word > $2
     order by w.word
     limit $3`,
    [tx.companyId, after, limit],
  );
  return rows.map(({ word }) => word);
};

/** The words among these that are in notes. For transactions in index order. */
export const listKnownWords = async (
  tx: CompanyTx,
  words: readonly string[],
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    `select w.word from unnest($2::text[]) as q (word)
     cross join lateral (
       select w.word from notes.search_words w
       where w.company_id = $1 and w.word = any (array[q.word])
       order by w.word
     ) w`,
    [tx.companyId, words],
  );
  return rows.map(({ word }) => word);
};

/** The words of notes that begin so, in order. */
export const listWordsByPrefix = async (
  tx: CompanyTx,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    `select w.word from notes.search_words w
     where w.company_id = $1 and w.word >= $2 and w.word < $3
     order by w.word
     limit $4`,
    [tx.companyId, prefix, afterPrefix(prefix), limit],
  );
  return rows.map(({ word }) => word);
};

/** What words that may be meant by a misspelled one have: its beginning or ending, and about its length. */
export type WordEdges = {
  readonly beginning: string;
  /** The last letter first. */
  readonly ending: string;
  readonly length: number;
};

/** The edges of a word, of so many letters. */
export const edgesOf = (word: string, edge: number): WordEdges => {
  const letters = [...word];
  return {
    beginning: letters.slice(0, edge).join(''),
    ending: letters.slice(-edge).toReversed().join(''),
    length: letters.length,
  };
};

/** Words of a query that are corrected, words that are compared with each, and letters they are longer or shorter. */
export const similarMax = { misspelled: 4, words: 2_000, letters: 2 } as const;

/** Words that may be meant by a misspelled one. */
export const listSimilarWords = async (
  tx: CompanyTx,
  { beginning, ending, length }: WordEdges,
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    'select s.word from notes.similar_words($1, $2, $3, $4, $5, $6, $7) as s (word)',
    [
      beginning,
      afterPrefix(beginning),
      ending,
      afterPrefix(ending),
      length - similarMax.letters,
      length + similarMax.letters,
      similarMax.words,
    ],
    'notes.list-similar-words',
  );
  return rows.map((row) => row.word);
};
