import { analyseText, type AnalysedText } from '../ranking/analyse-note.ts';
import { headingPath } from '../ranking/choose-passages.ts';

/** The version of what chunks are: with another one, all notes are embedded again. */
export const chunkerVersion = 1;

/** UTF-16 units of the text of a chunk: as much as small models read. */
const chunkLength = 1_000;
/** Chunks of a note; what comes after them is not embedded. */
const chunksMax = 64;
/** UTF-16 units of the title and the path of headings in front of each chunk. */
const contextMax = 300;

/** UTF-16 units of a content that are read for its chunks. */
export const embeddedLength = chunkLength * chunksMax;

/** What is embedded of a note. */
export type EmbeddedNote = {
  readonly title: string;
  readonly folder: string;
  readonly content: string;
};

/**
 * The chunks of a note: a section, or pieces of a long one, each with title, folder and the path of its headings in
 * front. A note without content is one chunk. `pause` is called for each line.
 */
export const chunkNote = async (
  { title, folder, content }: EmbeddedNote,
  pause: () => Promise<void>,
): Promise<string[]> => {
  const read = content.slice(0, embeddedLength).toWellFormed();
  const analysed = await analyseText(read, () => [], pause);
  const name = [title.slice(0, contextMax), folder.slice(0, contextMax)].filter(Boolean).join('\n');
  const chunks = piecesOf(analysed)
    .slice(0, chunksMax)
    .map(({ start, end, heading }) => {
      const path = headingPath(analysed.headings, heading).join(' > ').slice(0, contextMax);
      return [name, path, read.slice(start, end).trim()].filter(Boolean).join('\n').toWellFormed();
    });
  return chunks.length === 0 ? [name.toWellFormed()] : chunks;
};

type Piece = { readonly start: number; readonly end: number; readonly heading: number };

/** Runs of sentences of one section, each as long as a chunk may be. */
export const piecesOf = ({ sentences }: AnalysedText): Piece[] => {
  const pieces: Piece[] = [];
  for (const { start, end, heading } of sentences) {
    const last = pieces.at(-1);
    if (last?.heading === heading && end - last.start <= chunkLength) {
      pieces[pieces.length - 1] = { ...last, end };
    } else {
      pieces.push({ start, end, heading });
    }
  }
  return pieces;
};
