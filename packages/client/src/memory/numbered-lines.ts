/** The lines of a text; a line break at its end does not begin another. */
export const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

/** The first and the last line to show, from 1. */
export type LineRange = { readonly first: number; readonly last: number };

/** Formats lines with their numbers, right-aligned in six columns and followed by a tab. */
export const numberedLines = (lines: readonly string[], { first, last }: LineRange): string =>
  lines
    .slice(first - 1, last)
    .map((line, index) => `${String(first + index).padStart(6)}\t${line}`)
    .join('\n');
