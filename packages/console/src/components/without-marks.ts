/**
 * Marks of Markdown that snippets and excerpts still have. Each pattern is linear. A match may begin or end within
 * (⟦ ⟧) and stays.
 */
const marks: readonly (readonly [mark: RegExp, replacement: string])[] = [
  [/!?\[([^[\]]{0,300})\]\([^()\s]{0,600}\)/g, '$1'],
  // A link to a note, of which the text is shown if it has one.
  [/!?\[\[(?:[^[\]|]{0,300}\|)?([^[\]|]{1,300})\]\]/g, '$1'],
  [/(\*\*|~~)(?=\S)([^*~]{1,300})(?<=\S)\1/g, '$2'],
  [/(?<![\w*])\*(?=\S)([^*]{1,300})(?<=\S)\*(?![\w*])/g, '$1'],
  [/`+([^`]{1,300})`+/g, '$1'],
  [/(^|\s)#{1,6}\s+/g, '$1'],
  [/(^|\s)[-*+]\s+\[[ xX]\]\s+/g, '$1'],
];

/** A snippet or excerpt of a note as it reads, without the marks of Markdown. */
export const withoutMarks = (text: string): string =>
  marks.reduce((plain, [mark, replacement]) => plain.replace(mark, replacement), text);
