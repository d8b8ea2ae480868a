import { stemmer } from '@orama/stemmers/english';
import type { QuestionNote } from './question-set.ts';

/**
 * What a search is compared with: BM25 as textbooks have it (k1 1.2, b 0.75), any word of the query, English stems, a list of
 * function words of English (Snowball's), of title and content. Words are those of Intl.Segmenter.
 */
export const textbookBm25 = (
  notes: readonly QuestionNote[],
): ((query: string) => readonly string[]) => {
  const documents = notes.map(({ id, title, content }) => {
    const terms = termsOf(`${title}\n${content}`);
    return { id, length: terms.length, counts: countsOf(terms) };
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const rarity = (term: string): number => {
    const having = documents.filter(({ counts }) => counts.has(term)).length;
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const terms = [...new Set(termsOf(query))].map((term) => ({ term, weight: rarity(term) }));
    const scored = documents.map(({ id, length, counts }) => {
      const norm = k1 * (1 - b + (b * length) / average);
      const score = terms.reduce((sum, { term, weight }) => {
        const count = counts.get(term) ?? 0;
        return sum + (weight * count * (k1 + 1)) / (count + norm);
      }, 0);
      return { id, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .map(({ id }) => id);
  };
};

const [k1, b] = [1.2, 0.75];
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const termsOf = (text: string): string[] =>
  [...segmenter.segment(text.toLowerCase())]
    .filter(({ isWordLike, segment }) => isWordLike === true && !functionWords.has(segment))
    .map(({ segment }) => (/^[a-z]+$/.test(segment) ? stemmer(segment) : segment));

const countsOf = (terms: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const term of terms) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
};

const functionWords = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is are
    was were be been being have has had having do does did doing a an the and but if or because as until while
    of at by for with about against between into through during before after above below to from up down in out
    on off over under again further then once here there when where why how all any both each few more most
    other some such no nor not only own same so than too very s t can will just don should now`.split(
    /\s+/,
  ),
);
