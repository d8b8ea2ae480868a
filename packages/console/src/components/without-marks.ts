/** Code, between backticks as many as before it. A match begins only where a run of backticks does, which keeps it linear. */
const code = /(?<!`)(`+)(?!`)([\s\S]{1,300}?)(?<!`)\1(?!`)/g;

/** Stands for the code with this index: a character for private use on either side, which is no mark. */
const placeOf = (index: number): string => `\uE000${index}\uE000`;
const place = /\uE000(\d+)\uE000/g;

/**
 * Marks of Markdown that snippets and excerpts still have. Each pattern is linear. A match may begin or end within
 * (⟦ ⟧) and stays.
 */
const marks: readonly (readonly [mark: RegExp, replacement: string])[] = [
  [/!?\[([^[\]]{0,300})\]\([^()\s]{0,600}\)/g, '$1'],
  // A link whose address, or whose beginning, is cut off.
  [/!?\[([^[\]]{0,300})\]\([^()\s…]{0,600}(…?)$/g, '$1$2'],
  [/^(…[^[\]]{0,300})\]\([^()\s]{0,600}\)/g, '$1'],
  // A link to a note, of which the text is shown if it has one.
  [/!?\[\[(?:[^[\]|]{0,300}\|)?([^[\]|]{1,300})\]\]/g, '$1'],
  [/(\*\*|~~)(?=\S)([^*~]{1,300})(?<=\S)\1/g, '$2'],
  [/(?<![\w*])\*(?=\S)([^*]{1,300})(?<=\S)\*(?![\w*])/g, '$1'],
  [/^#\s+/gm, ''],
  // Within a line too, because snippets have the lines of a note in one. A single # there is usually a number sign.
  [/(^|\s)#{2,6}\s+/g, '$1'],
  [/(^|\s)[-*+]\s+\[[ xX]\]\s+/g, '$1'],
];

/** The line below the head of a table, and what is between cells and rows. */
const tableLine = /\|(?: ?:?-{2,}:? ?\|)+/g;
const cellEnds = / ?\|[\s|]*/g;

/** A table as its cells, one after another. */
const cellsOf = (text: string): string => {
  const withoutLines = text.replace(tableLine, '|');
  return withoutLines === text
    ? text
    : withoutLines
        .trim()
        .replace(/^\|\s*/, '')
        .replace(/ ?\|$/, '')
        .replace(cellEnds, ' · ');
};

/** A snippet or excerpt of a note as it reads, without the marks of Markdown. What is code stays as it is. */
export const withoutMarks = (text: string): string => {
  const codes: string[] = [];
  const prose = text.replace(code, (_all, _ticks, content: string) =>
    placeOf(codes.push(content) - 1),
  );
  return marks
    .reduce((plain, [mark, replacement]) => plain.replace(mark, replacement), cellsOf(prose))
    .replace(place, (all, index: string) => codes[Number(index)] ?? all);
};
