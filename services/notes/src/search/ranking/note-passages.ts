import type { NotePassage } from '@commonplace/contracts/notes';
import type { AnalysedText } from './analyse-note.ts';
import { choosePassages, type PassageRange } from './choose-passages.ts';

/** UTF-16 units of a heading in a path. */
const headingMax = 120;

/** The passages of a content that match best, with their lines and headings. */
export const notePassagesOf = (
  content: string,
  analysed: AnalysedText,
  weights: readonly number[],
): NotePassage[] =>
  choosePassages(analysed, weights).map((range) => presentPassage(content, range));

/** A part of a content with its lines and headings. */
export const presentPassage = (
  content: string,
  { start, end, fromLine, toLine, headings }: PassageRange,
): NotePassage => ({
  text: content.slice(start, end).trim(),
  fromLine,
  toLine,
  headings: headings.map((text) => text.slice(0, headingMax).toWellFormed()),
});
