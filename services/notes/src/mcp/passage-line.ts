import { fitsInBytes, type NotePassage } from '@commonplace/contracts/notes';
import { oneLine } from './format.ts';

/** The bytes of the line numbers and of what follows them. */
const numberBytesMax = 20;

/** Words between `⟦` and `⟧`. */
const marked = /⟦([^⟦⟧]+)⟧/g;

/** The words that an excerpt marks. */
export const markedWords = (excerpt: string): string[] => [
  ...new Set([...excerpt.matchAll(marked)].map(([, word = '']) => word.toLowerCase())),
];

/** A passage with its lines and, where there is room, what it stands under. */
export const passageLine = (
  { text, fromLine, toLine, headings }: NotePassage,
  words: readonly string[],
  bytesMax: number,
): string => {
  const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`;
  const under = headings.length === 0 ? '' : ` [${headings.join(' > ')}]`;
  const shown = around(text.replace(/\s+/gu, ' '), words, bytesMax - numberBytesMax);
  return oneLine(`${lines}: ${shown}${under}`, bytesMax);
};

/** Of a long passage, the part around the first word. */
const around = (text: string, words: readonly string[], bytesMax: number): string => {
  if (fitsInBytes(text, bytesMax)) {
    return text;
  }
  const folded = text.toLowerCase();
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const before = lastBytes(text.slice(0, first), bytesMax / 4);
  const after = text.slice(first, first + bytesMax).toWellFormed();
  return oneLine(`${before.length < first ? '…' : ''}${before}${after}`, bytesMax);
};

/** The last characters of a text, as many as fit. */
const lastBytes = (text: string, bytesMax: number): string => {
  const last = [...text.slice(-bytesMax).toWellFormed()];
  while (!fitsInBytes(last.join(''), bytesMax)) {
    last.shift();
  }
  return last.join('');
};
