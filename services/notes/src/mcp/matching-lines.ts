import { fitsInBytes } from '@commonplace/contracts/notes';
import { oneLine } from './format.ts';

const linesMax = 3;

/** Of the number of a line and what follows it. */
const numberBytesMax = 10;

/** Words between `⟦` and `⟧`. */
const marked = /⟦([^⟦⟧]+)⟧/g;

/**
 * The lines of a content that hold most of the words that its excerpt marks, with their numbers, in order. The
 * excerpt alone, where the content was not read or no line holds one of the words.
 */
export const matchingLines = (
  { content, excerpt }: { readonly content: string | undefined; readonly excerpt: string },
  bytesMax: number,
): string[] => {
  const words = [
    ...new Set([...excerpt.matchAll(marked)].map(([, word = '']) => word.toLowerCase())),
  ];
  if (words.length === 0) {
    return [];
  }
  const lines = content === undefined ? [] : content.split(/\r\n?|\n/);
  const found = lines
    .map((text, index) => {
      const folded = text.toLowerCase();
      const count = words.filter((word) => folded.includes(word)).length;
      return { number: index + 1, text, count };
    })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.number - b.number);
  const shown = found.slice(0, linesMax).toSorted((a, b) => a.number - b.number);
  const rest = found.length - shown.length;
  return shown.length === 0
    ? [oneLine(excerpt.replaceAll(/[⟦⟧]/g, ''), bytesMax)]
    : [
        ...shown.map(
          ({ number, text }) => `${number}: ${around(text, words, bytesMax - numberBytesMax)}`,
        ),
        ...(rest > 0 ? [`(${rest} more matching lines)`] : []),
      ];
};

/** Of a long line, the part around the first word. */
const around = (text: string, words: readonly string[], bytesMax: number): string => {
  if (fitsInBytes(text, bytesMax)) {
    return text;
  }
  const folded = text.toLowerCase();
  const first = Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0));
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
