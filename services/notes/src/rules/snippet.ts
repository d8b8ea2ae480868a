const charactersMax = 200;

/** Characters of source to strip: a first attempt, and a second if too little text remains. */
const readFirst = 600;
const readMax = 2_000;

/** Most texts contain few kinds of marks; testing for `sign` costs a fraction of a replacement. */
type Mark = { readonly sign: RegExp; readonly mark: RegExp; readonly replacement: string };

/** The Markdown marks to strip. Each pattern is linear: none nests repetitions. */
const marks: readonly Mark[] = [
  { sign: /```|~~~/, mark: /^(?:```|~~~).*$/gm, replacement: '' },
  {
    sign: /[#>*+-]|\d[.)]/,
    mark: /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)/gm,
    replacement: '',
  },
  { sign: /[-*_=]/, mark: /^[ \t]*(?:[-*_=][ \t]*){3,}$/gm, replacement: '' },
  { sign: /\]\(/, mark: /!?\[([^[\]]{0,300})\]\([^()\s]{0,600}\)/g, replacement: '$1' },
  { sign: /</, mark: /<\/?[a-zA-Z][^<>]{0,300}>/g, replacement: '' },
  { sign: /[*_]/, mark: /[*_]{1,3}(?=\S)([^*_\n]{1,300})(?<=\S)[*_]{1,3}/g, replacement: '$1' },
  { sign: /~~|`/, mark: /~~|`+/g, replacement: '' },
  // Single spaces, by far the most frequent, are left alone.
  { sign: /[^\S ]|  /, mark: /[^\S ]\s*| \s+/g, replacement: ' ' },
];

/** The first 200 characters of a Markdown text, without marks, on one line. */
export const snippetOf = (content: string): string => {
  const first = plainOf(content.slice(0, readFirst));
  // The cut may split a mark at the end, so the text must exceed the snippet by a margin.
  const isEnough = content.length <= readFirst || first.length > charactersMax * 2 + 50;
  const plain = isEnough ? first : plainOf(content.slice(0, readMax));
  return firstCharacters(plain).toWellFormed();
};

/** The snippet of a part of a content. If text was cut off before it, it begins with a word, after `…`. */
export const snippetAround = (part: string, isCut: boolean): string =>
  isCut ? `…${snippetOf(part.replace(/^\S{1,40}\s+/, ''))}` : snippetOf(part);

/** Counts characters, not UTF-16 units, when the text contains surrogate pairs. */
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
  for (const { sign, mark, replacement } of marks) {
    if (sign.test(plain)) {
      plain = plain.replace(mark, replacement);
    }
  }
  return plain.trim();
};
