import type { NotePassage } from '@commonplace/contracts/notes';
import type { AnalysedText } from '../ranking/analyse-note.ts';
import { rangeOf } from '../ranking/choose-passages.ts';
import { presentPassage } from '../ranking/note-passages.ts';
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
  const endMax = Math.min(piece.end, piece.start + passageLength);
  const from = sentences.findIndex(({ start }) => start >= piece.start);
  const to = sentences.findLastIndex(({ end }) => end <= endMax) + 1;
  const ranges = from < to ? rangeOf({ from, to }, sentences, headings) : [];
  return ranges.map((range) => presentPassage(content, range));
};
