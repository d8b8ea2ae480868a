import { characterAt } from '../text/slices.ts';
import type { MatchText, WordHit } from './group-matcher.ts';

/** A sentence, or a piece of a long one, with the words of the query in it. UTF-16 units, lines from 1. */
export type Sentence = {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** The index of its heading; -1: it stands above all. */
  readonly heading: number;
  readonly hits: readonly WordHit[];
};

export type Heading = { readonly level: number; readonly text: string };

/** A text by its sentences. */
export type AnalysedText = {
  readonly sentences: readonly Sentence[];
  readonly headings: readonly Heading[];
};

/** UTF-16 units of a sentence; longer ones are split at a space. */
const sentenceMax = 240;

const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const fenceLine = /^ {0,3}(?:```|~~~)/;
/** Where a sentence ends: after its mark and white space, or after a full stop of a script without spaces. */
const sentenceEnd = /[.!?;…][)"'”’»]*\s+|[。！？；]+/gu;

/** Pieces of one line, of some thousand characters in all, after which others may run. */
const piecesPerPause = 16;

/**
 * Splits a Markdown text into sentences with the words of a query. `pause` is called for each line, and within long ones: a
 * text may be one line.
 */
export async function analyseText(
  content: string,
  match: MatchText,
  pause: () => Promise<void>,
): Promise<AnalysedText> {
  const sentences: Sentence[] = [];
  const headings: Heading[] = [];
  let [line, isCode] = [0, false];
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf('\n', start);
    const end = newline === -1 ? content.length : newline;
    const text = content.slice(start, end);
    line += 1;
    isCode = fenceLine.test(text) ? !isCode : isCode;
    const heading = isCode ? null : headingLine.exec(text.slice(0, 1_000));
    if (heading) {
      const [, marks = '', title = ''] = heading;
      headings.push({ level: marks.length, text: title.replace(/\s+#+\s*$/, '').trim() });
    }
    let pieces = 0;
    for (const piece of piecesOf(text)) {
      pieces += 1;
      if (pieces % piecesPerPause === 0) {
        await pause();
      }
      const hits = match(text.slice(piece.start, piece.end));
      sentences.push({
        start: start + piece.start,
        end: start + piece.end,
        line,
        heading: headings.length - 1,
        hits: hits.length === 0 ? hits : hits.map((hit) => moved(hit, start + piece.start)),
      });
    }
    start = end + 1;
    await pause();
  }
  return { sentences, headings };
}

const moved = ({ group, start, end, isExact }: WordHit, by: number): WordHit => ({
  group,
  start: start + by,
  end: end + by,
  isExact,
});

type Piece = { readonly start: number; readonly end: number };

function* piecesOf(text: string): Generator<Piece, void> {
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(sentenceEnd)) {
    yield* shortPieces(text, start, index + mark.length);
    start = index + mark.length;
  }
  yield* shortPieces(text, start, text.length);
}

function* shortPieces(text: string, from: number, to: number): Generator<Piece, void> {
  let start = from;
  while (to - start > sentenceMax) {
    // Not in the whole text: one without spaces, such as an image in base64, would be read to its start for each piece.
    const space = text.slice(start, start + sentenceMax + 1).lastIndexOf(' ');
    const end =
      space > sentenceMax / 2 ? start + space + 1 : characterAt(text, start + sentenceMax);
    yield { start, end };
    start = end;
  }
  if (text.slice(start, to).trim() !== '') {
    yield { start, end: to };
  }
}
