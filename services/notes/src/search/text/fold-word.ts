/** UTF-16 units: longer words are indexed and searched by their beginning. */
const lettersMax = 64;

const ascii = /^[\u0000-\u007f]*$/;
/** Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. Not those of Japanese. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
/** Letters without a decomposition into a base letter and an accent. */
const ligatures: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};
const ligature = /[ßæœøđðłıþς]/g;

/**
 * The form in which a word is indexed: lower case, without accents, compatibility characters replaced. It is cut
 * before, so that folding costs little, and after: a compatibility character may become eighteen.
 */
export const foldWord = (word: string): string => {
  const lower = cut(word).toLowerCase();
  return ascii.test(lower) ? lower : cut(foldLetters(lower));
};

const cut = (word: string): string =>
  word.length > lettersMax ? word.slice(0, lettersMax).toWellFormed() : word;

const foldLetters = (lower: string): string =>
  lower
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents, '')
    .replace(ligature, (letter) => ligatures[letter] ?? letter)
    .normalize('NFC');
