const charactersMax = 200;

/** Markup thins a text out: mostly a little of it is enough, and this much nearly always. */
const readFirst = 600;
const readMax = 2_000;

/** Most texts have few kinds of marks; to look for its sign costs a fraction of replacing one. */
type Mark = { readonly sign: RegExp; readonly mark: RegExp; readonly becomes: string };

/**
 * The marks of Markdown that a plain text can do without. Each pattern is linear: none repeats a
 * group that repeats something itself.
 */
const marks: readonly Mark[] = [
  { sign: /```|~~~/, mark: /^(?:```|~~~).*$/gm, becomes: '' },
  {
    sign: /[#>*+-]|\d[.)]/,
    mark: /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)/gm,
    becomes: '',
  },
  { sign: /[-*_=]/, mark: /^[ \t]*(?:[-*_=][ \t]*){3,}$/gm, becomes: '' },
  { sign: /\]\(/, mark: /!?\[([^[\]]{0,300})\]\([^()\s]{0,600}\)/g, becomes: '$1' },
  { sign: /</, mark: /<\/?[a-zA-Z][^<>]{0,300}>/g, becomes: '' },
  { sign: /[*_]/, mark: /[*_]{1,3}(?=\S)([^*_\n]{1,300})(?<=\S)[*_]{1,3}/g, becomes: '$1' },
  { sign: /~~|`/, mark: /~~|`+/g, becomes: '' },
  // A single space is what it should be, and there are many.
  { sign: /[^\S ]|  /, mark: /[^\S ]\s*| \s+/g, becomes: ' ' },
];

/** The first 200 characters of a Markdown text, without its marks and on one line. */
export const snippetOf = (content: string): string => {
  const first = plainOf(content.slice(0, readFirst));
  // A mark that was cut in half stands at the end, so there must be something to spare.
  const isEnough = content.length <= readFirst || first.length > charactersMax * 2 + 50;
  const plain = isEnough ? first : plainOf(content.slice(0, readMax));
  return firstCharacters(plain).toWellFormed();
};

/** A character beyond the basic plane takes two units: where there is one, they are counted. */
const firstCharacters = (plain: string): string => {
  if (plain.length <= charactersMax) {
    return plain;
  }
  const units = plain.slice(0, charactersMax * 2);
  const isPlain = !/[\ud800-\udfff]/.test(units);
  return (
    isPlain ? units.slice(0, charactersMax) : [...units].slice(0, charactersMax).join('')
  ).trimEnd();
};

const plainOf = (text: string): string => {
  let plain = text;
  for (const { sign, mark, becomes } of marks) {
    if (sign.test(plain)) {
      plain = plain.replace(mark, becomes);
    }
  }
  return plain.trim();
};
