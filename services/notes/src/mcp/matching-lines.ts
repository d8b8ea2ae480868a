const linesMax = 3;

/** Words between `⟦` and `⟧`. */
const marked = /⟦([^⟦⟧]+)⟧/g;

/**
 * The lines of a content that hold most of the words that its excerpt marks, with their numbers, in order. The
 * excerpt alone, where the content was not read or no line holds one of the words.
 */
export const matchingLines = (content: string | undefined, excerpt: string): string[] => {
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
    ? [excerpt.replaceAll(/[⟦⟧]/g, '')]
    : [
        ...shown.map(({ number, text }) => `${number}: ${around(text, words)}`),
        ...(rest > 0 ? [`(${rest} more matching lines)`] : []),
      ];
};

const charactersMax = 200;

/** Of a long line, the part around the first word. */
const around = (text: string, words: readonly string[]): string => {
  if (text.length <= charactersMax) {
    return text;
  }
  const folded = text.toLowerCase();
  const first = Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0));
  const start = Math.max(0, first - charactersMax / 4);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + charactersMax)}`;
};
