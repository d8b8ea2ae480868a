const charactersMax = 200;

/** Markup thins a text out: mostly a little of it is enough, and this much nearly always. */
const readFirst = 600;
const readMax = 2_000;

/**
 * The marks of Markdown that a plain text can do without. Each pattern is linear: none repeats a
 * group that repeats something itself.
 */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^(?:```|~~~).*$/gm, ''],
  [/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)/gm, ''],
  [/^[ \t]*(?:[-*_=][ \t]*){3,}$/gm, ''],
  [/!?\[([^[\]]{0,300})\]\([^()\s]{0,600}\)/g, '$1'],
  [/<\/?[a-zA-Z][^<>]{0,300}>/g, ''],
  [/[*_]{1,3}(?=\S)([^*_\n]{1,300})(?<=\S)[*_]{1,3}/g, '$1'],
  [/~~|`+/g, ''],
  [/\s+/g, ' '],
];

/** The first 200 characters of a Markdown text, without its marks and on one line. */
export const snippetOf = (content: string): string => {
  const first = plainOf(content.slice(0, readFirst));
  // A mark that was cut in half stands at the end, so there must be something to spare.
  const isEnough = content.length <= readFirst || first.length > charactersMax * 2 + 50;
  const plain = isEnough ? first : plainOf(content.slice(0, readMax));
  return plain.length <= charactersMax
    ? plain.toWellFormed()
    : [...plain].slice(0, charactersMax).join('').trimEnd().toWellFormed();
};

const plainOf = (text: string): string =>
  marks.reduce((rest, [mark, replacement]) => rest.replace(mark, replacement), text).trim();
