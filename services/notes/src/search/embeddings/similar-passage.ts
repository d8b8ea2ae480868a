import type { NotePassage } from '@commonplace/contracts/notes';
import type { AnalysedText } from '../ranking/analyse-note.ts';
import { presentPassage } from '../ranking/note-passages.ts';
import { headingPath } from '../ranking/choose-passages.ts';
import { passageLength } from '../ranking/score-note.ts';
import { piecesOf } from './chunk-note.ts';

/** The beginning of the chunk of a note that is similar to a query, which has none of its words. */
export const similarPassages = (
  content: string,
  analysed: AnalysedText,
  place: number | undefined,
): NotePassage[] => {
  const piece = place === undefined ? undefined : piecesOf(analysed)[place];
  if (!piece) {
    return [];
  }
  const { sentences, headings } = analysed;
  const some = sentences.filter(
    ({ start, end }) =>
      start >= piece.start && end <= piece.end && end - piece.start <= passageLength,
  );
  const [first, last] = [some[0], some.at(-1)];
  const range = first &&
    last && {
      start: first.start,
      end: last.end,
      fromLine: first.line,
      toLine: last.line,
      headings: headingPath(headings, first.heading),
    };
  return range ? [presentPassage(content, range)] : [];
};
