import { foldWord } from '../text/fold-word.ts';
import { functionWordLists } from './function-word-lists.ts';

const lists = Object.values(functionWordLists).map(
  (words) => new Set(words.split(/\s+/).filter(Boolean).map(foldWord)),
);

/**
 * The function words among the folded words of a query: of the language whose list has most of them, because a function
 * word of one language is an ordinary word of another (`war`, `hat`, `son`).
 */
export const functionWordsOf = (words: readonly string[]): ReadonlySet<string> => {
  const found = lists.map((list) => words.filter((word) => list.has(word)));
  const most = Math.max(...found.map(({ length }) => length));
  return new Set(found.filter(({ length }) => length === most).flat());
};
